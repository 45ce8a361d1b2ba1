// Norms behind a fake GPU, against LibTorch's in float64.
#include "lcsm/tensors/norm.h"

#include <ATen/TensorOperators.h>
#include <ATen/autocast_mode.h>
#include <ATen/core/grad_mode.h>
#include <gtest/gtest.h>

#include <set>

#include "lcsm/cuda/driver/nvrtc.h"
#include "lcsm/cuda/step/norm_cuda.h"
#include "tests/lcsm/layer/fake_tensors.h"
#include "tests/lcsm/layer/layer_cases.h"

namespace lcsm::test {
namespace {

using at::Tensor;

struct NormTestCase {
  std::int64_t d = 12;
  bool residual = true, centered = true, affine = true, reads_sum = true;
  at::ScalarType x_type = at::kFloat;
  ReadBy read_by = ReadBy::kAnything;
};

// Under autocast to bfloat16 while it lives.
class Autocast {
 public:
  Autocast() {
    at::autocast::set_autocast_enabled(at::kCPU, true);
    at::autocast::set_autocast_dtype(at::kCPU, at::kBFloat16);
  }
  ~Autocast() { at::autocast::set_autocast_enabled(at::kCPU, false); }
};

using Results = std::map<std::string, Tensor>;

// Values and gradients of a loss that reads both results.
Results everything_of(const NormTestCase& c, at::ScalarType type, const GpuOrCpu& gpu) {
  const auto drawn = [&](std::uint64_t seed, at::ScalarType of) {
    const Tensor values = random_input(2, 5, c.d, seed).to(at::kBFloat16).to(of);
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
    return random_input(2, 5, c.d, seed).to(at::kBFloat16).to(type);
  };
  Tensor loss = (out.normed.to(type) * scaled(5)).sum();
  if (c.reads_sum) loss = loss + (out.sum.to(type) * scaled(6)).sum();
  loss.backward();
  Results all{{"normed", out.normed.detach()}, {"sum", out.sum.detach()}, {"d_x", x.grad()}};
  if (c.residual) all["d_residual"] = residual.grad();
  if (c.affine) all["d_weight"] = norm.weight.grad(), all["d_bias"] = norm.bias.grad();
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
  // `off`: relative to the largest.
  void expect_right(const NormTestCase& c, double off) {
    kernels_.clear();
    const Results got = everything_of(c, at::kFloat, fake_.gpu()),
                  expected = everything_of(c, at::kDouble, nullptr);
    ASSERT_EQ(got.size(), expected.size());
    for (const auto& [name, tensor] : expected)
      EXPECT_LE((got.at(name) - tensor).abs().max().item<double>(),
                off * tensor.abs().max().item<double>())
          << name << " of " << c.d;
    EXPECT_EQ(fake_.findings(), "");
  }

  FakeGpu fake_;
  const FakeTensors tensors_{&fake_};
  std::set<std::string> kernels_;
};

}  // namespace

TEST_F(NormsOnAGpu, AreThoseOfTheCpu) {
  for (int bits = 0; bits < 16; ++bits)
    for (const std::int64_t d : {12, 7}) {
      expect_right({.d = d,
                    .residual = (bits & 1) != 0,
                    .centered = (bits & 2) != 0,
                    .affine = (bits & 4) != 0,
                    .reads_sum = (bits & 8) != 0},
                   2e-6);
      EXPECT_EQ(kernels_.size(), (bits & 4) != 0 ? 3u : 2u);
    }
}

// Backward of x rounds a gradient of its own.
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

// The bits of a sum and a LayerNorm that are called one after the other.
TEST(Norms, AreLibTorchsOnACpu) {
  const Tensor x = random_input(2, 3, 8, 1).to(at::kFloat), residual = x.cos();
  const Norm norm{.weight = x[0][0].clone(), .bias = x[0][1].clone()};
  const NormedSum out = normed_sum(norm, residual, x, ReadBy::kProducts, nullptr);
  EXPECT_TRUE(out.sum.equal(residual + x));
  const NormedSum alone = normed_sum(norm, {}, out.sum, ReadBy::kAnything, nullptr);
  EXPECT_TRUE(alone.sum.is_same(out.sum));
  EXPECT_TRUE(alone.normed.equal(out.normed));
}

}  // namespace lcsm::test
