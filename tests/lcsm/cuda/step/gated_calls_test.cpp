// A gate's activation times a value, and the gradients, through the judge, against the definition
// in float64.
#include "lcsm/cuda/step/gated_calls.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <random>

#include "tests/lcsm/cuda/driver/expect_judged.h"

namespace lcsm::test {
namespace {

using std::size_t;
using enum Activation;

struct GatedCase {
  Activation activation = kSilu;
  size_t count = 1024;
  bool bfloat16_gate = false, bfloat16_value = false;
  size_t from = 0;  // numbers before the first
  size_t columns = 4;
  size_t gap = 0;  // numbers between rows of the gate

  size_t place_of_gate(size_t n) const {
    return from + n / columns * (columns + gap) + n % columns;
  }
};

// "gate", "value" and "d_out".
Named random_gates(const GatedCase& c) {
  std::mt19937 random(3);
  std::normal_distribution<float> normal(0, 3);
  const bool bfloat16_out = c.bfloat16_gate && c.bfloat16_value;
  Named given;
  for (const auto& [name, bfloat16] :
       {std::pair{"gate", c.bfloat16_gate}, {"value", c.bfloat16_value}, {"d_out", bfloat16_out}})
    for (size_t n = 0; n <= c.place_of_gate(c.count - 1); ++n)
      given[name].push_back(rounded(normal(random), bfloat16));
  return given;
}

double value_of(Activation activation, double x) {
  switch (activation) {
    case kIdentity:
      return x;
    case kSigmoid:
      return 1 / (1 + std::exp(-x));
    case kSilu:
      return x / (1 + std::exp(-x));
    case kGelu:
      return x / 2 * (1 + std::erf(x / std::sqrt(2)));
    case kRelu:
      return std::max(x, 0.0);
  }
  return 0;
}

Named by_definition(const GatedCase& c, const Named& given) {
  Named all;
  for (size_t n = 0; n < c.count; ++n) {
    const double gate = given.at("gate")[c.place_of_gate(n)], f = value_of(c.activation, gate),
                 step = 1e-4,
                 slope =
                     (value_of(c.activation, gate + step) - value_of(c.activation, gate - step)) /
                     (2 * step),
                 value = given.at("value")[c.from + n], d_out = given.at("d_out")[c.from + n];
    all["out"].push_back(f * value);
    all["d_gate"].push_back(d_out * value * slope);
    all["d_value"].push_back(d_out * f);
  }
  return all;
}

class GatedKernels : public testing::Test {
 protected:
  void SetUp() override {
    kernels_ = built_kernels("gated");
    if (kernels_ == nullptr) GTEST_SKIP() << "no CUDA toolkit when this was built";
  }

  Judged by_judge(const GatedCase& c, const Named& given) const {
    JudgedDevice device(*kernels_, /*orders=*/2, {});
    const bool bfloat16_out = c.bfloat16_gate && c.bfloat16_value;
    const auto at = [&](void* base, bool bfloat16) {
      return static_cast<char*>(base) + (bfloat16 ? 2 : 4) * c.from;
    };
    const auto put = [&](const char* name, bool bfloat16) {
      return at(device.put(name, given.at(name), bfloat16), bfloat16);
    };
    const auto result = [&](const char* name, bool bfloat16) {
      return at(device.result(name, c.from + c.count, bfloat16), bfloat16);
    };
    GatedWork work{c.activation, c.bfloat16_gate, c.bfloat16_value};
    work.gated.count = static_cast<long long>(c.count);
    work.gated.columns = static_cast<int>(c.columns);
    work.gated.gate_row = static_cast<long long>(c.columns + c.gap);
    work.gated.gate = put("gate", c.bfloat16_gate);
    work.gated.value = put("value", c.bfloat16_value);
    GatedWork back = work;
    work.gated.out = result("out", bfloat16_out);
    back.gated.d_out = put("d_out", bfloat16_out);
    back.gated.d_gate = result("d_gate", c.bfloat16_gate);
    back.gated.d_value = result("d_value", c.bfloat16_value);
    device.run({gated_forward_call(work), gated_backward_call(back)});
    Judged got = device.judged();
    for (auto& [name, values] : got.values)
      values.erase(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(c.from));
    return got;
  }

  Judged check(const GatedCase& c) const {
    const Named given = random_gates(c);
    Judged got = by_judge(c, given);
    expect_right(
        got, by_definition(c, given),
        [&](const std::string& name) {
          const bool rounds = name == "out"      ? c.bfloat16_gate && c.bfloat16_value
                              : name == "d_gate" ? c.bfloat16_gate
                                                 : c.bfloat16_value;
          return rounds ? 0x1p-8 : 1e-6;
        },
        std::to_string(c.count) + " of " +
            std::string(kActivations[static_cast<int>(c.activation)]));
    return got;
  }

  const Kernels* kernels_ = nullptr;
};

}  // namespace

TEST_F(GatedKernels, AreRightForEveryActivation) {
  for (const Activation activation : {kIdentity, kSigmoid, kSilu, kGelu, kRelu})
    for (const size_t count : {1u, 7u, 8u, 2047u, 2048u, 2052u})
      check({.activation = activation, .count = count});
}

TEST_F(GatedKernels, AreRightForEveryType) {
  for (const bool gate : {false, true})
    for (const bool value : {false, true})
      for (const size_t count : {5u, 260u, 4100u})
        check({.count = count, .bfloat16_gate = gate, .bfloat16_value = value});
}

TEST_F(GatedKernels, TakeTensorsThatBeginAnywhere) {
  for (const bool bfloat16 : {false, true})
    for (const size_t from : {0u, 1u, 2u, 4u}) {
      const Judged got = check(
          {.count = 600, .bfloat16_gate = bfloat16, .bfloat16_value = bfloat16, .from = from});
      for (const auto& [kernel, counts] : got.counts)
        EXPECT_TRUE(kernel.ends_with(from % 4 == 0 ? "_4" : "_1")) << kernel;
    }
}

// A part of each row of a projection.
TEST_F(GatedKernels, TakeGatesWithGaps) {
  for (const bool bfloat16 : {false, true})
    for (const size_t columns : {1u, 6u, 8u, 64u})
      for (const size_t gap : {1u, 4u, 64u}) {
        const Judged got = check(
            {.count = 40 * columns, .bfloat16_gate = bfloat16, .columns = columns, .gap = gap});
        for (const auto& [kernel, counts] : got.counts)
          EXPECT_TRUE(kernel.ends_with(columns % 4 + gap % 4 == 0 ? "_4" : "_1")) << kernel;
      }
}

TEST_F(GatedKernels, ReadAndWriteOnce) {
  for (const bool gate : {false, true})
    for (const bool value : {false, true}) {
      const GatedCase c{.count = 4096, .bfloat16_gate = gate, .bfloat16_value = value};
      for (const auto& [kernel, counts] : check(c).counts) {
        const double inputs = (gate ? 2 : 4) + (value ? 2 : 4), out = gate && value ? 2 : 4;
        const bool forward = kernel.starts_with("gated_forward");
        EXPECT_LE(32.0 * static_cast<double>(counts.global_read.used),
                  4096 * (inputs + (forward ? 0 : out)))
            << kernel;
        EXPECT_LE(32.0 * static_cast<double>(counts.global_write.used),
                  4096 * (forward ? out : inputs))
            << kernel;
      }
    }
}

// One less the sigmoid would be 0, or have no digit left.
TEST_F(GatedKernels, KeepSmallSlopes) {
  const GatedCase c{.activation = kSigmoid, .count = 4};
  Named given = random_gates(c);
  given["gate"] = {20, 15, -15, -20};
  const Judged got = by_judge(c, given);
  for (size_t n = 0; n < 4; ++n) {
    const double share = value_of(kSigmoid, -std::abs(given["gate"][n])),
                 expected = share * (1 - share) * given["value"][n] * given["d_out"][n];
    EXPECT_NEAR(got.values.at("d_gate")[n] / expected, 1, 1e-6) << n;
  }
}

// Where exp overflows, results are the limits; NaN stays NaN.
TEST_F(GatedKernels, StayFiniteAndShowNaN) {
  for (const Activation activation : {kIdentity, kSigmoid, kSilu, kGelu, kRelu}) {
    SCOPED_TRACE(kActivations[static_cast<int>(activation)]);
    const GatedCase c{.activation = activation, .count = 8};
    Named given = random_gates(c);
    given["gate"] = {-1e4, -120, -90, 90, 120, 1e4, 0, std::numeric_limits<double>::quiet_NaN()};
    const Judged got = by_judge(c, given);
    EXPECT_EQ(got.findings, "");
    for (size_t n = 0; n < 7; ++n)
      EXPECT_NEAR(got.values.at("out")[n] / given.at("value")[n],
                  value_of(activation, given.at("gate")[n]), 1e-2)
          << n;
    for (const char* name : {"out", "d_gate", "d_value"})
      for (size_t n = 0; n < 7; ++n)
        EXPECT_TRUE(std::isfinite(got.values.at(name)[n])) << name << " " << n;
    for (const char* name : {"out", "d_value"}) EXPECT_TRUE(std::isnan(got.values.at(name)[7]));
  }
}

}  // namespace lcsm::test
