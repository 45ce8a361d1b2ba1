// Layers of every family on a GPU, behind fakes of the driver and of cuFFT, against the CPU's in
// float64.
#include <ATen/TensorOperators.h>
#include <ATen/ops/zeros_like.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

#include "ets/layer/layer.h"
#include "ets/machines/fft_conv_cuda.h"
#include "lcsm/cuda/driver/nvrtc.h"
#include "tests/ets/cuda/fake_cufft.h"
#include "tests/ets/layer/family_cases.h"
#include "tests/lcsm/layer/fake_tensors.h"
#include "tests/lcsm/layer/layer_cases.h"

namespace ets {
namespace {

using at::Tensor;
using Named = std::map<std::string, Tensor>;

class FamiliesOnAGpu : public testing::Test {
 protected:
  void SetUp() override {
    if (!lcsm::nvrtc_missing().empty()) GTEST_SKIP() << lcsm::nvrtc_missing();
    const Cufft functions = cufft_.functions();
    cufft_plans(*gpu_, &functions);
  }

  // y and all gradients, in float64.
  static Named everything(const lcsm::Block& variant, std::int64_t T, at::ScalarType type,
                          const lcsm::GpuOrCpu& gpu) {
    lcsm::Weights weights;
    Named asked;
    for (const auto& [name, tensor] : weights_of(variant))
      weights[name] = asked["d " + name] = tensor.detach().to(type).requires_grad_();
    asked["d x"] = lcsm::random_input(2, T, 4, 5).to(type).requires_grad_();
    const Tensor y = layer_forward(variant, weights, asked["d x"], {.gpu = gpu}).output;
    std::vector<Tensor> tensors;
    for (const auto& [name, tensor] : asked) tensors.push_back(tensor);
    const auto gradients = torch::autograd::grad(
        {y}, tensors, {lcsm::random_input(2, T, 4, 9).to(type).narrow(2, 0, y.size(2))}, false,
        false, true);
    Named all{{"y", y.detach().to(at::kDouble)}};
    std::size_t n = 0;
    for (const auto& [name, tensor] : asked) {
      const Tensor& gradient = gradients[n++];
      all[name] = (gradient.defined() ? gradient : at::zeros_like(tensor)).to(at::kDouble);
    }
    return all;
  }

  void expect_the_same(const FamilyCase& each, std::int64_t T) {
    SCOPED_TRACE(each.name());
    const lcsm::Block variant = each.variant();
    const Named expected = everything(variant, T, at::kDouble, nullptr);
    const int before = fake_.launches();
    const Named got = everything(variant, T, at::kFloat, gpu_);
    EXPECT_EQ(fake_.launches() > before, each.family != "mega-feed") << "it has no filter";
    for (const auto& [name, tensor] : expected)
      EXPECT_LE((got.at(name) - tensor).abs().max().item<double>(),
                1e-4 * tensor.abs().max().item<double>() + 1e-6)
          << name;
  }
  // Records which kernels are requested.
  lcsm::CudaDriver driver() {
    lcsm::CudaDriver driver = fake_.driver();
    driver.find_function = [this, find = driver.find_function](lcsm::CudaHandle* function,
                                                               lcsm::CudaHandle module,
                                                               const char* name) {
      kernels_ += std::string(name) + " ";
      return find(function, module, name);
    };
    return driver;
  }

  std::string kernels_;
  lcsm::test::FakeGpu fake_;
  const lcsm::test::FakeTensors tensors_{&fake_};
  test::FakeCufft cufft_;
  const std::shared_ptr<lcsm::Gpu> gpu_ = fake_.gpu(driver());
};

}  // namespace

// Rounding of float32 in kernels, transforms and sums; parameters of modes are float64 inside.
TEST_F(FamiliesOnAGpu, ComputeWhatTheCpuDoes) {
  for (const FamilyCase& each : family_cases()) expect_the_same(each, 40);
  EXPECT_EQ(fake_.findings(), "");
}

// Covers products over chunks, of one direction and of both.
TEST_F(FamiliesOnAGpu, ComputeManyModes) {
  for (const FamilyCase& each :
       {FamilyCase{"s4d", {"modes=9"}}, FamilyCase{"s4d", {"bidirectional=true", "modes=10"}},
        FamilyCase{"ema", {"modes=17"}}})
    expect_the_same(each, 300);
  for (const char* kernel : {"products_backward_complex_float32", "products_backward_real_float32"})
    EXPECT_NE(kernels_.find(kernel), kernels_.npos) << kernel << " is not among " << kernels_;
  EXPECT_EQ(fake_.findings(), "");
}

}  // namespace ets
