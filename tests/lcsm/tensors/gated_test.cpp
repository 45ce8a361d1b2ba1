// A gate's activation times a value on a CPU and behind a fake GPU, against LibTorch's in float64.
#include "lcsm/tensors/gated.h"

#include <ATen/TensorOperators.h>
#include <gtest/gtest.h>

#include <set>

#include "lcsm/cuda/driver/nvrtc.h"
#include "lcsm/cuda/step/gated_calls.h"
#include "tests/lcsm/layer/fake_tensors.h"
#include "tests/lcsm/layer/layer_cases.h"

namespace lcsm::test {
namespace {

using at::Tensor;

class Gated : public testing::Test {
 protected:
  void SetUp() override {
    if (!nvrtc_missing().empty()) GTEST_SKIP() << nvrtc_missing();
    fake_.counted = [this](const std::string& kernel, const ptx::Counts&) {
      kernels_.insert(kernel);
    };
  }

  // The value and both gradients of a gate and a value of these types.
  Tensors everything_of(Activation activation, at::ScalarType gate_type, at::ScalarType value_type,
                        const GpuOrCpu& gpu) {
    const auto drawn = [](std::uint64_t seed, at::ScalarType type) {
      // [2, 5, 12] of a tensor [2, 12, 5], so that rows have gaps.
      return random_input(2, 12, 5, seed).to(at::kBFloat16).to(type).transpose(1, 2).detach();
    };
    const Tensor gate = drawn(1, gate_type).requires_grad_(),
                 value = drawn(2, value_type).requires_grad_();
    const Tensor out = gated(activation, gate, value, gpu);
    (out.to(at::kDouble) * drawn(3, at::kDouble)).sum().backward();
    return {out.detach(), gate.grad(), value.grad()};
  }

  FakeGpu fake_;
  const FakeTensors tensors_{&fake_};
  std::set<std::string> kernels_;
};

}  // namespace

TEST_F(Gated, OnAGpuIsThatOfTheCpu) {
  for (const std::string_view name : kActivations)
    for (const at::ScalarType gate : {at::kFloat, at::kBFloat16})
      for (const at::ScalarType value : {at::kFloat, at::kBFloat16}) {
        SCOPED_TRACE(name);
        const Activation activation = activation_named(name);
        kernels_.clear();
        const Tensors got = everything_of(activation, gate, value, fake_.gpu()),
                      expected = everything_of(activation, at::kDouble, at::kDouble, nullptr);
        EXPECT_EQ(fake_.findings(), "");
        EXPECT_EQ(kernels_.size(), 2u);
        EXPECT_EQ(got[0].scalar_type(), c10::promoteTypes(gate, value));
        EXPECT_EQ(got[1].scalar_type(), gate);
        EXPECT_EQ(got[2].scalar_type(), value);
        for (std::size_t n = 0; n < 3; ++n)
          EXPECT_LE(
              (got[n] - expected[n]).abs().max().item<double>(),
              (got[n].scalar_type() == at::kFloat && got[0].scalar_type() == at::kFloat ? 1e-6
                                                                                        : 0x1p-7) *
                  expected[n].abs().max().item<double>())
              << n;
      }
}

// Half of each row of a projection; its gradient is 0 in the other.
TEST_F(Gated, ReadsPartsOfRows) {
  for (const at::ScalarType type : {at::kFloat, at::kBFloat16}) {
    const Tensor both = random_input(2, 5, 24, 1).to(type).requires_grad_(),
                 value = random_input(2, 5, 12, 2).to(type),
                 weight = random_input(2, 5, 12, 3).to(type);
    const auto gradient_of = [&](const GpuOrCpu& gpu, at::ScalarType computed) {
      both.mutable_grad() = Tensor();
      const Tensor gate = both.to(computed).split(12, 2)[1];
      (gated(Activation::kSilu, gate, value.to(computed), gpu) * weight.to(computed))
          .sum()
          .backward();
      return both.grad();
    };
    const Tensor got = gradient_of(fake_.gpu(), type), expected = gradient_of(nullptr, at::kDouble);
    EXPECT_LE((got - expected).abs().max().item<double>(),
              (type == at::kFloat ? 1e-6 : 0x1p-7) * expected.abs().max().item<double>());
    EXPECT_EQ(got.narrow(2, 0, 12).abs().max().item<double>(), 0);
  }
  EXPECT_EQ(kernels_.size(), 4u);
  EXPECT_EQ(fake_.findings(), "");
}

// Shapes that are broadcast, and types without a kernel.
TEST_F(Gated, IsLibTorchsWhereThereIsNoKernel) {
  const Tensor wide = random_input(2, 3, 4, 1), row = wide.narrow(1, 0, 1);
  EXPECT_TRUE(gated(Activation::kSilu, row.to(at::kFloat), wide.to(at::kFloat), fake_.gpu())
                  .equal(activated(Activation::kSilu, row.to(at::kFloat)) * wide.to(at::kFloat)));
  EXPECT_TRUE(gated(Activation::kRelu, wide, wide, fake_.gpu())
                  .equal(activated(Activation::kRelu, wide) * wide));
  EXPECT_TRUE(kernels_.empty());
}

TEST(Activations, AreNamed) {
  for (std::size_t n = 0; n < std::size(kActivations); ++n)
    EXPECT_EQ(static_cast<std::size_t>(activation_named(kActivations[n])), n);
  EXPECT_THROW(activation_named("tanh"), std::invalid_argument);
}

}  // namespace lcsm::test
