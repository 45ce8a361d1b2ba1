// Transformer-XL against its published equations, entry by entry in plain numbers: outputs, and
// gradients by central differences.
#include <ATen/TensorOperators.h>
#include <ATen/ops/zeros_like.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "tests/lcsm/layer/layer_cases.h"
#include "tests/runner/models/blocks/layer_of.h"

namespace runner {
namespace {

using at::Tensor;
using Numbers = std::vector<double>;

constexpr std::size_t kHeads = 2, kD = 8, kW = kD / kHeads, kT = 5;

Numbers numbers_of(const Tensor& tensor) {
  const Tensor flat = tensor.detach().contiguous();
  const auto* const first = flat.const_data_ptr<double>();
  return {first, first + flat.numel()};
}

// Rows row .. row + kD - 1 of a matrix of kD columns, times x.
Numbers times(const Numbers& matrix, std::size_t row, const Numbers& x) {
  Numbers y(kD);
  for (std::size_t o = 0; o < kD; ++o)
    for (std::size_t i = 0; i < kD; ++i) y[o] += matrix[(row + o) * kD + i] * x[i];
  return y;
}

double dot(const Numbers& a, const Numbers& b, std::size_t head) {
  double sum = 0;
  for (std::size_t c = head * kW; c < (head + 1) * kW; ++c) sum += a[c] * b[c];
  return sum;
}

// R_n: the sines, then the cosines.
Numbers sinusoid(std::size_t n) {
  Numbers r(kD);
  for (std::size_t c = 0; c < kD / 2; ++c) {
    const double angle = static_cast<double>(n) / std::pow(10000, 2 * static_cast<double>(c) / kD);
    r[c] = std::sin(angle);
    r[kD / 2 + c] = std::cos(angle);
  }
  return r;
}

// One layer: its tensors, the memory and the segment, one after the other.
struct PlainLayer {
  std::map<std::string, Numbers> w;
  Numbers memory, x;

  Numbers step_of_h(std::size_t j) const {
    const std::size_t M = memory.size() / kD;
    const Numbers& from = j < M ? memory : x;
    const auto at = from.begin() + static_cast<std::ptrdiff_t>((j < M ? j : j - M) * kD);
    return {at, at + kD};
  }

  Numbers output() const {
    const std::size_t M = memory.size() / kD;
    Numbers y;
    for (std::size_t i = M; i < M + kT; ++i) {
      const Numbers q = times(w.at("qkv.weight"), 0, step_of_h(i));
      Numbers read(kD);
      for (std::size_t head = 0; head < kHeads; ++head) {
        Numbers scores;
        double sum = 0;
        for (std::size_t j = 0; j <= i; ++j) {
          const Numbers k = times(w.at("qkv.weight"), kD, step_of_h(j)),
                        r = times(w.at("position.weight"), 0, sinusoid(i - j));
          const double a = dot(q, k, head), b = dot(q, r, head),
                       c = dot(w.at("content_bias"), k, head),
                       d = dot(w.at("position_bias"), r, head);
          scores.push_back(std::exp((a + b + c + d) / std::sqrt(kW)));
          sum += scores.back();
        }
        for (std::size_t j = 0; j <= i; ++j) {
          const Numbers v = times(w.at("qkv.weight"), 2 * kD, step_of_h(j));
          for (std::size_t n = head * kW; n < (head + 1) * kW; ++n)
            read[n] += scores[j] / sum * v[n];
        }
      }
      const Numbers out = times(w.at("output.weight"), 0, read);
      y.insert(y.end(), out.begin(), out.end());
    }
    return y;
  }
};

struct XlCase {
  explicit XlCase(std::int64_t M)
      : memory(lcsm::random_input(1, std::max<std::int64_t>(M, 1), kD, 3)) {
    std::uint64_t seed = 20;
    for (auto& [name, tensor] : layer.weights) {
      const at::NoGradGuard raw;
      tensor.copy_(0.5 * lcsm::random_input(1, 1, tensor.numel(), ++seed).view(tensor.sizes()));
      plain.w[name] = numbers_of(tensor);
    }
    plain.x = numbers_of(x);
    if (M > 0) plain.memory = numbers_of(memory), state["memory"] = memory;
  }

  BlockLayer layer = layer_of("transformer-xl", {"heads=2"}, kD);
  Tensor x = lcsm::random_input(1, kT, kD, 1), by = lcsm::random_input(1, kT, kD, 2), memory;
  lcsm::BlockState state;
  PlainLayer plain;
};

double loss_of(const PlainLayer& plain, const Numbers& by) {
  const Numbers y = plain.output();
  double sum = 0;
  for (std::size_t n = 0; n < y.size(); ++n) sum += by[n] * y[n];
  return sum;
}

// The derivative of the plain loss by each of the numbers, which `plain` has.
Numbers slopes(PlainLayer& plain, Numbers& numbers, const Numbers& by) {
  constexpr double kStep = 1e-5;
  Numbers all;
  for (double& number : numbers) {
    const double here = number;
    number = here + kStep;
    const double above = loss_of(plain, by);
    number = here - kStep;
    all.push_back((above - loss_of(plain, by)) / (2 * kStep));
    number = here;
  }
  return all;
}

void expect_near(const Numbers& got, const Numbers& expected, double bound) {
  ASSERT_EQ(got.size(), expected.size());
  double largest = 0;
  for (const double each : expected) largest = std::max(largest, std::abs(each));
  EXPECT_GT(largest, 1e-3);
  for (std::size_t n = 0; n < got.size(); ++n) EXPECT_NEAR(got[n], expected[n], bound * largest);
}

}  // namespace

TEST(TransformerXl, IsItsPublishedEquations) {
  for (const std::int64_t M : {0, 1, 7})
    for (const lcsm::Backend backend : {lcsm::Backend::kReference, lcsm::Backend::kMachine}) {
      XlCase c(M);
      const Tensor y = c.layer(c.x, {.state = c.state, .backend = backend});
      expect_near(numbers_of(y), c.plain.output(), 1e-12);
    }
}

TEST(TransformerXl, HasTheGradientsOfItsEquations) {
  for (const std::int64_t M : {0, 6})
    for (const lcsm::Backend backend : {lcsm::Backend::kReference, lcsm::Backend::kMachine}) {
      XlCase c(M);
      c.x.requires_grad_();
      (c.layer(c.x, {.state = c.state, .backend = backend}) * c.by).sum().backward();
      const Numbers by = numbers_of(c.by);
      expect_near(numbers_of(c.x.grad()), slopes(c.plain, c.plain.x, by), 1e-8);
      for (auto& [name, tensor] : c.layer.weights) {
        SCOPED_TRACE(name);
        expect_near(numbers_of(tensor.grad()), slopes(c.plain, c.plain.w.at(name), by), 1e-8);
      }
    }
}

TEST(TransformerXl, KeepsTheLastStepsOfMemoryAndSegment) {
  const BlockLayer layer = layer_of("transformer-xl", {"memory=7"}, kD);
  const Tensor x = lcsm::random_input(2, 5, kD, 1);
  lcsm::BlockState state;
  for (const std::int64_t kept : {5, 7, 7}) {
    state = block_forward(layer.variant, layer.weights, x, {.state = state}).state;
    EXPECT_EQ(state.at("memory").sizes(), (std::vector<std::int64_t>{2, kept, kD}));
  }
  EXPECT_TRUE(state.at("memory").narrow(1, 2, 5).equal(x));
  EXPECT_TRUE(state.at("memory").narrow(1, 0, 2).equal(x.narrow(1, 3, 2)));
}

TEST(TransformerXl, DropsWeightsByAShareOfItsOwn) {
  const BlockLayer layer = layer_of("transformer-xl", {"attention_dropout=0.25"}, kD);
  std::vector<double> shares;
  const Tensor x = lcsm::random_input(1, 9, kD, 7);
  const lcsm::BlockContext drops{.drop_share = [&](const Tensor& in, double share) {
    shares.push_back(share);
    return in * 0;
  }};
  EXPECT_EQ(layer(x, drops).abs().max().item<double>(), 0);
  EXPECT_EQ(shares, std::vector<double>{0.25});
  layer_of("transformer-xl", {}, kD)(x, drops);
  EXPECT_EQ(shares.size(), 1u) << "a share of 0 draws no mask";
}

TEST(TransformerXl, RefusesWidthsThatDoNotFit) {
  EXPECT_THROW(layer_of("transformer-xl", {"heads=3"}, kD), std::invalid_argument);
  EXPECT_THROW(layer_of("transformer-xl", {"heads=1"}, 7), std::invalid_argument);
}

}  // namespace runner
