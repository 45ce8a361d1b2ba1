// Norms on a CPU and behind a fake GPU, against LibTorch's in float64.
#include "lcsm/tensors/norm.h"

#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/layer_norm.h>
#include <gtest/gtest.h>

#include <set>

#include "lcsm/cuda/driver/nvrtc.h"
#include "lcsm/cuda/step/norm_cuda.h"
#include "lcsm/tensors/product.h"
#include "tests/lcsm/layer/fake_tensors.h"
#include "tests/lcsm/layer/layer_cases.h"
#include "tests/lcsm/tensors/autocast.h"

namespace lcsm::test {
namespace {

using at::Tensor;

struct NormTestCase {
  std::int64_t d = 12, rows = 5;
  bool residual = true, centered = true, affine = true, reads_sum = true;
  at::ScalarType x_type = at::kFloat;
  ReadBy read_by = ReadBy::kAnything;
};

using Results = std::map<std::string, Tensor>;

// Values and gradients of a loss that reads both results.
Results everything_of(const NormTestCase& c, at::ScalarType type, const GpuOrCpu& gpu) {
  const auto drawn = [&](std::uint64_t seed, at::ScalarType of) {
    const Tensor values = random_input(2, c.rows, c.d, seed).to(at::kBFloat16).to(of);
    return values.requires_grad_();
  };
  const auto weight = [&](std::uint64_t seed) {
    return random_input(1, 1, c.d, seed)[0][0].to(type).detach().requires_grad_();
  };
  const Tensor x = drawn(1, type == at::kDouble ? type : c.x_type),
               residual = c.residual ? drawn(2, type) : Tensor();
  Norm norm{.centered = c.centered};
  if (c.affine) norm.weight = weight(3), norm.bias = weight(4);
  const NormedSum out = normed_sum(norm, residual, x, c.read_by, gpu);
  const auto scaled = [&](std::uint64_t seed) {
    return random_input(2, c.rows, c.d, seed).to(at::kBFloat16).to(type);
  };
  Tensor loss = (out.normed.to(type) * scaled(5)).sum();
  if (c.reads_sum) loss = loss + (out.sum.to(type) * scaled(6)).sum();
  loss.backward();
  Results all{{"normed", out.normed.detach()}, {"sum", out.sum.detach()}, {"d_x", x.grad()}};
  if (c.residual) all["d_residual"] = residual.grad();
  if (c.affine) all["d_weight"] = norm.weight.grad(), all["d_bias"] = norm.bias.grad();
  return all;
}

// `off`: relative to the largest.
void expect_close(const Results& got, const Results& expected, double off) {
  ASSERT_EQ(got.size(), expected.size());
  for (const auto& [name, tensor] : expected)
    EXPECT_LE((got.at(name) - tensor).abs().max().item<double>(),
              off * tensor.abs().max().item<double>())
        << name;
}

// All combinations of a residual, a mean, weights, and a loss that reads the sum.
std::vector<NormTestCase> cases_of(std::int64_t d, std::int64_t rows) {
  std::vector<NormTestCase> all;
  for (int bits = 0; bits < 16; ++bits)
    all.push_back({.d = d,
                   .rows = rows,
                   .residual = (bits & 1) != 0,
                   .centered = (bits & 2) != 0,
                   .affine = (bits & 4) != 0,
                   .reads_sum = (bits & 8) != 0});
  return all;
}

class NormsOnAGpu : public testing::Test {
 protected:
  void SetUp() override {
    if (!nvrtc_missing().empty()) GTEST_SKIP() << nvrtc_missing();
    fake_.counted = [this](const std::string& kernel, const ptx::Counts&) {
      kernels_.insert(kernel);
    };
  }
  void expect_right(const NormTestCase& c, double off) {
    SCOPED_TRACE(c.d);
    kernels_.clear();
    expect_close(everything_of(c, at::kFloat, fake_.gpu()), everything_of(c, at::kDouble, nullptr),
                 off);
    EXPECT_EQ(fake_.findings(), "");
  }

  FakeGpu fake_;
  const FakeTensors tensors_{&fake_};
  std::set<std::string> kernels_;
};

}  // namespace

TEST_F(NormsOnAGpu, AreThoseOfTheCpu) {
  for (const std::int64_t d : {12, 7})
    for (const NormTestCase& c : cases_of(d, 5)) {
      expect_right(c, 2e-6);
      EXPECT_EQ(kernels_.size(), c.affine ? 3u : 2u);
    }
}

// The gradient of x is rounded separately.
TEST_F(NormsOnAGpu, ReadAndWriteTheTypeOfProducts) {
  const Autocast autocast;
  for (const bool residual : {false, true})
    for (const ReadBy read_by : {ReadBy::kProducts, ReadBy::kAnything}) {
      const NormTestCase c{
          .d = 24, .residual = residual, .x_type = at::kBFloat16, .read_by = read_by};
      expect_right(c, 0x1p-7);
      const bool rounds = read_by == ReadBy::kProducts;
      EXPECT_TRUE(kernels_.contains(std::string("norm_forward_bfloat16_") +
                                    (rounds ? "bfloat16_4" : "float32_4")));
      const Results got = everything_of(c, at::kFloat, fake_.gpu());
      EXPECT_EQ(got.at("normed").scalar_type(), rounds ? at::kBFloat16 : at::kFloat);
      EXPECT_EQ(got.at("d_x").scalar_type(), at::kBFloat16);
      EXPECT_EQ(got.at("sum").scalar_type(), residual ? at::kFloat : at::kBFloat16);
    }
}

TEST_F(NormsOnAGpu, AreLibTorchsWhereThereIsNoKernel) {
  expect_right({.d = kNormMost + 1}, 1e-5);
  EXPECT_TRUE(kernels_.empty());
}

// Only the sum is read.
TEST_F(NormsOnAGpu, TakeNoGradientOfTheNorm) {
  const Tensor x = random_input(2, 3, 8, 1).to(at::kFloat).requires_grad_(),
               residual = random_input(2, 3, 8, 2).to(at::kFloat);
  normed_sum({}, residual, x, ReadBy::kAnything, fake_.gpu()).sum.sum().backward();
  EXPECT_TRUE(x.grad().eq(1).all().item<bool>());
}

// Widths of less than a vector, of whole ones and of some lanes more; rows in one part and in
// several.
TEST(Norms, OnACpuAreThoseOfFloat64) {
  for (const std::int64_t d : {3, 16, 67, 128})
    for (const std::int64_t rows : {1, 150})
      for (const NormTestCase& c : cases_of(d, rows)) {
        SCOPED_TRACE(std::to_string(d) + " " + std::to_string(rows));
        expect_close(everything_of(c, at::kFloat, nullptr), everything_of(c, at::kDouble, nullptr),
                     4e-6);
      }
}

// Only the gradient of x is rounded: to 2^-8, and once more if it is a sum of two.
TEST(Norms, OnACpuAreFloat32UnderAutocast) {
  for (NormTestCase c : cases_of(24, 150)) {
    c.x_type = at::kBFloat16;
    const Results expected = everything_of(c, at::kDouble, nullptr);
    const Autocast autocast;
    Results got = everything_of(c, at::kFloat, nullptr);
    EXPECT_EQ(got.at("normed").scalar_type(), at::kFloat);
    EXPECT_LE((got.at("d_x") - expected.at("d_x")).abs().max().item<double>(),
              0x1p-7 * expected.at("d_x").abs().max().item<double>());
    got["d_x"] = expected.at("d_x");
    expect_close(got, expected, 4e-6);
  }
}

TEST(Norms, HaveTheSameBitsWithAnyNumberOfThreads) {
  const NormTestCase c{.d = 128, .rows = 3000};
  const int threads = at::get_num_threads();
  at::set_num_threads(1);
  const Results one = everything_of(c, at::kFloat, nullptr);
  at::set_num_threads(3);
  const Results three = everything_of(c, at::kFloat, nullptr);
  at::set_num_threads(threads);
  for (const auto& [name, tensor] : one) EXPECT_TRUE(tensor.equal(three.at(name))) << name;
}

// The bits of a sum and a LayerNorm that are called one after the other.
TEST(Norms, AreLibTorchsWhereTheyAreAskedFor) {
  const ProductsBy libtorch(Products::kLibTorch);
  const Tensor x = random_input(2, 3, 8, 1).to(at::kFloat), residual = x.cos();
  const Norm norm{.weight = x[0][0].clone(), .bias = x[0][1].clone()};
  const NormedSum out = normed_sum(norm, residual, x, ReadBy::kProducts, nullptr);
  EXPECT_TRUE(out.sum.equal(residual + x));
  EXPECT_TRUE(out.normed.equal(at::layer_norm(out.sum, {8}, norm.weight, norm.bias, kNormEpsilon)));
}

// A float64 norm has derivatives of every order.
TEST(Norms, OfFloat64AreLibTorchs) {
  const Tensor x = random_input(2, 3, 8, 1).requires_grad_();
  const Tensor y = normed_sum({}, {}, x, ReadBy::kAnything, nullptr).normed;
  EXPECT_TRUE(y.equal(at::layer_norm(x, {8}, {}, {}, kNormEpsilon)));
}

}  // namespace lcsm::test
