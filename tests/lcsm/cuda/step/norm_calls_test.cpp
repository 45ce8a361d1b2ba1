// Norms and their gradients through the judge, against the definition in float64. LCSM_FUZZ=1
// prints errors and traffic.
#include "lcsm/cuda/step/norm_calls.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <iostream>
#include <random>

#include "tests/lcsm/cuda/driver/judged_device.h"

namespace lcsm::test {
namespace {

using std::size_t;

// Float32: sums of a row, relative to the largest value of a result; gradients subtract two of
// them. Bfloat16: the last rounding.
constexpr double kNormFloat = 2e-6, kNormBfloat = 0x1p-8;
constexpr double kEps = 1e-5;

struct Case {
  int rows = 5, d = 8;
  bool bfloat16_x = false, bfloat16_y = false;
  bool residual = false, centered = true, affine = true;
  bool d_sum = true;    // with a residual: it has a gradient of its own
  double offset = 0.5;  // of x
  int processors = 1;
  size_t from = 0;  // x, y and so on begin so many numbers later
};

using Given = Named;  // x, residual, weight, bias, d_y, d_sum

Given given_of(const Case& c) {
  std::mt19937_64 random(static_cast<unsigned>(c.d * 7 + c.rows));
  std::normal_distribution<float> normal(0, 1);
  const auto draw = [&](size_t count, bool bfloat16, double offset = 0) {
    Numbers all;
    for (size_t n = 0; n < count; ++n)
      all.push_back(rounded(normal(random) + static_cast<float>(offset), bfloat16));
    return all;
  };
  const auto cells = static_cast<size_t>(c.rows) * static_cast<size_t>(c.d);
  Given given{{"x", draw(cells, c.bfloat16_x, c.offset)}, {"d_y", draw(cells, c.bfloat16_y)}};
  if (c.residual) given["residual"] = draw(cells, false);
  if (c.residual && c.d_sum) given["d_sum"] = draw(cells, false);
  if (!c.affine) return given;
  given["weight"] = draw(static_cast<size_t>(c.d), false, 1);
  given["bias"] = draw(static_cast<size_t>(c.d), false);
  return given;
}

Numbers or_all(const Given& given, const char* name, size_t count, double otherwise) {
  const auto found = given.find(name);
  return found == given.end() ? Numbers(count, otherwise) : found->second;
}

// "sum", "y", "mean", "scale", "d_x", "d_residual", "d_weight", "d_bias".
Named by_definition(const Case& c, const Given& given) {
  const auto d = static_cast<size_t>(c.d), rows = static_cast<size_t>(c.rows), cells = d * rows;
  const Numbers weight = or_all(given, "weight", d, 1), bias = or_all(given, "bias", d, 0),
                residual = or_all(given, "residual", cells, 0),
                d_sum = or_all(given, "d_sum", cells, 0);
  const Numbers &x = given.at("x"), &d_y = given.at("d_y");
  Named out;
  for (const char* name : {"sum", "y", "d_x"}) out[name] = Numbers(cells);
  for (const char* name : {"mean", "scale"}) out[name] = Numbers(rows);
  for (const char* name : {"d_weight", "d_bias"}) out[name] = Numbers(d);
  for (size_t row = 0; row < rows; ++row) {
    const size_t first = row * d;
    double mean = 0, squares = 0, g_sum = 0, g_hat = 0;
    const auto s = [&](size_t n) { return x[first + n] + residual[first + n]; };
    for (size_t n = 0; c.centered && n < d; ++n) mean += s(n) / static_cast<double>(d);
    for (size_t n = 0; n < d; ++n) squares += (s(n) - mean) * (s(n) - mean);
    const double scale = 1 / std::sqrt(squares / static_cast<double>(d) + kEps);
    const auto hat = [&](size_t n) { return (s(n) - mean) * scale; };
    for (size_t n = 0; n < d; ++n) {
      const double g = d_y[first + n] * weight[n];
      g_sum += g / static_cast<double>(d), g_hat += g * hat(n) / static_cast<double>(d);
      out["d_weight"][n] += d_y[first + n] * hat(n);
      out["d_bias"][n] += d_y[first + n];
    }
    for (size_t n = 0; n < d; ++n) {
      out["sum"][first + n] = s(n);
      out["y"][first + n] = hat(n) * weight[n] + bias[n];
      out["d_x"][first + n] =
          d_sum[first + n] +
          scale * (d_y[first + n] * weight[n] - (c.centered ? g_sum : 0) - hat(n) * g_hat);
    }
    out["mean"][row] = mean, out["scale"][row] = scale;
  }
  if (c.residual) out["d_residual"] = out["d_x"];
  if (!c.residual) out.erase("sum");
  if (!c.centered) out.erase("mean");
  if (!c.affine) out.erase("d_weight"), out.erase("d_bias");
  return out;
}

class NormKernels : public testing::Test {
 protected:
  void SetUp() override {
    kernels_ = built_kernels("norm");
    if (kernels_ == nullptr) GTEST_SKIP() << "no CUDA toolkit when this was built";
  }

  // Backward reads what forward wrote.
  Judged by_judge(const Case& c, const Given& given, int orders = 1,
                  const ptx::Options& options = {}) {
    JudgedDevice device(*kernels_, orders, options);
    const auto rows = static_cast<size_t>(c.rows), cells = rows * static_cast<size_t>(c.d);
    const auto later = [&](void* at, bool bfloat16) {
      return static_cast<void*>(static_cast<char*>(at) + c.from * (bfloat16 ? 2 : 4));
    };
    const auto put = [&](const char* name, bool bfloat16) -> void* {
      const auto found = given.find(name);
      if (found == given.end()) return nullptr;
      Numbers values(c.from, 77);
      values.insert(values.end(), found->second.begin(), found->second.end());
      return later(device.put(name, values, bfloat16), bfloat16);
    };
    const auto result = [&](const char* name, size_t count, bool bfloat16) {
      return later(device.result(name, Numbers(count + c.from, 77), bfloat16), bfloat16);
    };
    const auto floats = [](void* at) { return static_cast<float*>(at); };
    NormWork work{.bfloat16_x = c.bfloat16_x, .bfloat16_y = c.bfloat16_y};
    work.processors = c.processors;
    NormCuda& n = work.norm;
    n.rows = c.rows, n.d = c.d, n.eps = static_cast<float>(kEps), n.centered = c.centered;
    n.x = put("x", c.bfloat16_x);
    n.residual = floats(put("residual", false));
    n.weight = floats(put("weight", false)), n.bias = floats(put("bias", false));
    n.d_y = put("d_y", c.bfloat16_y);
    n.d_sum = floats(put("d_sum", false));
    if (c.residual) n.sum = floats(result("sum", cells, false));
    n.y = result("y", cells, c.bfloat16_y);
    if (c.centered) n.mean = floats(result("mean", rows, false));
    n.scale = floats(result("scale", rows, false));
    n.d_x = result("d_x", cells, c.bfloat16_x);
    if (c.residual) n.d_residual = floats(result("d_residual", cells, false));
    if (c.affine) {
      work.d_weight = floats(result("d_weight", static_cast<size_t>(c.d), false));
      work.d_bias = floats(result("d_bias", static_cast<size_t>(c.d), false));
    }
    device.run(norm_forward_calls(work));
    if (c.residual) n.x = nullptr;
    device.run(norm_backward_calls(
        work, [&](const char* what, size_t bytes) { return device.allocate(what, bytes); }));
    Judged judged = device.judged();
    for (auto& [name, values] : judged.values) {
      for (size_t at = 0; at < c.from; ++at) EXPECT_EQ(values[at], 77) << name;
      values.erase(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(c.from));
    }
    return judged;
  }

  Judged check(const Case& c, int orders = 1, const ptx::Options& options = {}) {
    SCOPED_TRACE(std::to_string(c.rows) + " rows of " + std::to_string(c.d));
    const Given given = given_of(c);
    Judged got = by_judge(c, given, orders, options);
    EXPECT_EQ(got.findings, "");
    const Named expected = by_definition(c, given);
    EXPECT_EQ(got.values.size(), expected.size());
    for (const auto& [name, off] : differences(got.values, expected)) {
      const bool rounds = (name == "y" && c.bfloat16_y) || (name == "d_x" && c.bfloat16_x);
      EXPECT_LE(off, rounds ? kNormBfloat : kNormFloat) << name;
      if (std::getenv("LCSM_FUZZ"))
        std::cout << c.rows << " rows of " << c.d << ", " << name << ": " << off << "\n";
    }
    return got;
  }
  const Kernels* kernels_ = nullptr;
};

std::vector<Case> every_kind() {
  std::vector<Case> all;
  for (int bits = 0; bits < 16; ++bits)
    all.push_back({.bfloat16_x = (bits & 1) != 0,
                   .bfloat16_y = (bits & 2) != 0,
                   .residual = (bits & 4) != 0,
                   .centered = (bits & 8) != 0,
                   .affine = bits % 3 != 0});
  return all;
}

}  // namespace

TEST_F(NormKernels, AreRightForEveryNumberOfChannels) {
  for (Case c : every_kind())
    for (const int d : {1, 3, 12, 50, 512, 514}) {
      if (d == 1 && !c.residual) continue;  // the gradient is 0
      c.d = d, c.rows = d < 100 ? 11 : 9;
      check(c);
    }
  for (Case c : every_kind()) {
    c.rows = 3;
    if (c.bfloat16_x == c.bfloat16_y)
      for (const int d : {1000, 1029, 2052, 4095, 4096}) {
        c.d = d;
        check(c);
      }
  }
}

// A block that goes through rows, several blocks that add up columns.
TEST_F(NormKernels, AreRightForManyRows) {
  for (Case c : every_kind())
    for (const int d : {8, 70}) {
      c.d = d, c.rows = 150, c.processors = 3;
      check(c);
    }
  check({.rows = 70, .d = 640, .bfloat16_x = true, .residual = true, .processors = 2});
}

TEST_F(NormKernels, GiveTheSameInEveryOrder) {
  for (Case c : every_kind()) {
    if (!c.affine) continue;
    c.rows = 41, c.d = 64, c.processors = 2;
    check(c, 3, {.ulps = 2});
    c.rows = 9, c.d = 1022;
    check(c, 3, {.ulps = 2});
  }
}

TEST_F(NormKernels, TakeTensorsThatBeginAnywhere) {
  for (Case c : every_kind())
    for (const size_t from : {1u, 2u, 4u}) {
      c.from = from, c.d = 24;
      check(c);
    }
}

// The sum of a residual without a gradient of its own: the last of a model.
TEST_F(NormKernels, TakeNoGradientOfTheSum) {
  for (const bool bfloat16 : {false, true})
    check({.d = 20, .bfloat16_x = bfloat16, .residual = true, .d_sum = false});
}

// Squares less the square of the mean would have no digit left.
TEST_F(NormKernels, KeepTheVarianceBesideALargeMean) {
  Case c{.rows = 4, .d = 256, .offset = 3000};
  const Given given = given_of(c);
  const Judged got = by_judge(c, given);
  const Named expected = by_definition(c, given);
  // The mean is off by half a unit of float32, which is 1.2e-4 here.
  EXPECT_LE(differences(got.values, expected).at("y"), 2e-4);
  EXPECT_LE(differences(got.values, expected).at("scale"), 1e-5);
}

TEST_F(NormKernels, ShowNaN) {
  for (const bool residual : {false, true}) {
    const Case c{.rows = 3, .d = 16, .residual = residual};
    Given given = given_of(c);
    given["x"][16 + 5] = std::nan("");
    const Judged got = by_judge(c, given);
    EXPECT_EQ(got.findings, "");
    for (size_t n = 0; n < 48; ++n) {
      EXPECT_EQ(std::isnan(got.values.at("y")[n]), n / 16 == 1) << n;
      EXPECT_EQ(std::isnan(got.values.at("d_x")[n]), n / 16 == 1) << n;
    }
    for (const double d : got.values.at("d_weight")) EXPECT_TRUE(std::isnan(d));
  }
}

// Rows once, weights once a block for each of its teams, statistics once a warp, sums of columns
// once a block.
TEST_F(NormKernels, MoveNoMoreThanTheAlgorithm) {
  for (Case c : every_kind())
    for (const int d : {128, 512, 1024, 4096}) {
      c.d = d, c.rows = 32 * 4096 / d;
      Judged got = check(c);
      got.counts.erase("norm_sum");
      ASSERT_EQ(got.counts.size(), 2u);
      for (const auto& [kernel, counts] : got.counts) {
        const bool forward = kernel.find("forward") != kernel.npos;
        const int x = c.bfloat16_x ? 2 : 4, y = c.bfloat16_y ? 2 : 4, sum = c.residual ? 4 : 0;
        const int team = std::max(32, d / kNormNumbers), teams = kNormThreads / team;
        const int blocks = std::min((c.rows + teams - 1) / teams, forward ? 6 : 2);
        const int weights = c.affine ? 4 * d * blocks : 0;  // bytes of a weight of all blocks
        const int read = c.rows * d * (forward ? x + sum : (c.residual ? 4 + 4 : x) + y) +
                         weights * teams * (forward ? 2 : 1);
        const int statistics = c.rows * (c.centered ? 64 : 32);
        const int written = c.rows * d * ((forward ? y : x) + sum) + (forward ? 0 : weights * 2);
        const double in = 32.0 * static_cast<double>(counts.global_read.used),
                     out = 32.0 * static_cast<double>(counts.global_write.used);
        EXPECT_LE(in, read + (forward ? 0 : statistics * team / 32)) << kernel << " " << d;
        EXPECT_LE(out, written + (forward ? statistics : 0)) << kernel << " " << d;
        EXPECT_EQ(counts.shared.used, counts.shared.ideal) << kernel << " " << d;
        EXPECT_TRUE(kernel.ends_with("_4")) << kernel;
        if (std::getenv("LCSM_FUZZ"))
          std::cout << kernel << " " << d << ": " << in / read << " and " << out / written
                    << " of the bytes, " << counts.instructions << " instructions\n";
      }
    }
}

TEST(NormCalls, AreNoneWithoutRows) {
  NormWork work;
  work.norm.d = 3;
  EXPECT_TRUE(norm_forward_calls(work).empty());
  work.norm.rows = 1;
  for (const int d : {0, kNormMost + 1}) {
    work.norm.d = d;
    EXPECT_THROW(norm_forward_calls(work), std::invalid_argument);
  }
}

TEST(NormCalls, NameKernelsOfTheSource) {
  if (!nvrtc_missing().empty()) GTEST_SKIP() << nvrtc_missing();
  NormWork work{.bfloat16_y = true};
  work.norm.rows = 1, work.norm.d = 8;
  float sums[8];
  work.d_weight = sums;
  std::vector<KernelCall> calls =
      norm_backward_calls(work, [&](const char*, size_t) { return static_cast<void*>(sums); });
  calls.push_back(norm_forward_calls(work).at(0));
  const NvrtcResult compiled = compile_cuda(norm_source(work));
  for (const KernelCall& call : calls)
    EXPECT_NE(compiled.code.find(".entry " + call.kernel + "("), std::string::npos) << compiled.log;
}

}  // namespace lcsm::test
