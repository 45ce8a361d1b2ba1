#include "ets/machines/fft_conv_cuda.h"

#include <ATen/ops/empty_like.h>

#include "ets/cuda/fft_conv_calls.h"
#include "lcsm/tensors/workspace.h"

namespace ets {
namespace {

using at::Tensor;
using lcsm::data;
using lcsm::numbers;
using lcsm::Tensors;

class FftConvolutionCuda : public lcsm::Operation {
 public:
  FftConvolutionCuda(std::shared_ptr<lcsm::Gpu> gpu, std::int64_t lag)
      : gpu_(std::move(gpu)), lag_(lag) {}

  Tensors forward(const Tensors& in) const override {
    const Tensor y = at::empty_like(in[0]);
    FftConvWork work = work_of(in);
    work.y = numbers(y);
    run(in[0], work, fft_conv_forward_steps);
    return {y};
  }

  Tensors backward(const Tensors& in, const Tensors&, const Tensors& d_out) const override {
    if (!d_out[0].defined()) return Tensors(in.size());
    const Tensor d_y = d_out[0].contiguous(), d_x = at::empty_like(in[0]),
                 d_taps = at::empty_like(in[1]);
    FftConvWork work = work_of(in);
    work.d_y = numbers(d_y);
    work.d_x = numbers(d_x);
    work.conv.d_taps = data<float>(d_taps);
    run(in[0], work, fft_conv_backward_steps);
    return {d_x, d_taps};
  }

 private:
  FftConvWork work_of(const Tensors& in) const {
    FftConvWork work{.bfloat16 = in[0].scalar_type() == at::kBFloat16};
    FftConvCuda& conv = work.conv;
    conv.B = static_cast<int>(in[0].size(0));
    conv.T = static_cast<int>(in[0].size(1));
    conv.D = static_cast<int>(in[0].size(2));
    conv.directions = static_cast<int>(in[1].size(0));
    conv.K = static_cast<int>(in[1].size(2));
    conv.lag = static_cast<int>(lag_);
    conv.taps = data<float>(in[1]);
    work.x = numbers(in[0]);
    return work;
  }

  void run(const Tensor& x, const FftConvWork& work,
           decltype(fft_conv_forward_steps)* steps) const {
    lcsm::Workspace space(x);
    const lcsm::Allocate allocate = space.allocate();
    for (const FftConvStep& step : steps(work, allocate))
      if (const auto* const fft = std::get_if<FftCall>(&step))
        cufft_plans(*gpu_).run(*fft, gpu_->stream(), allocate);
      else
        gpu_->run(fft_conv_source(), "a long convolution", {std::get<lcsm::KernelCall>(step)});
  }

  const std::shared_ptr<lcsm::Gpu> gpu_;
  const std::int64_t lag_;
};

}  // namespace

CufftPlans& cufft_plans(lcsm::Gpu& gpu, const Cufft* functions) {
  return *gpu.once<std::shared_ptr<CufftPlans>>(
      "cuFFT", [&] { return std::make_shared<CufftPlans>(functions ? *functions : open_cufft()); });
}

Tensor fft_convolution_cuda(std::shared_ptr<lcsm::Gpu> gpu, const Tensor& x, const Tensor& taps,
                            std::int64_t backward_lag) {
  return lcsm::differentiable(c10::make_intrusive<FftConvolutionCuda>(std::move(gpu), backward_lag),
                              {x.contiguous(), taps.to(at::kFloat).contiguous()})[0];
}

}  // namespace ets
