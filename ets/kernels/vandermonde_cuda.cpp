#include "ets/kernels/vandermonde_cuda.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>

#include <cstdint>

#include "ets/cuda/vandermonde_calls.h"

namespace ets {
namespace {

using at::Tensor;
using lcsm::data;
using lcsm::Tensors;

class ModesKernelCuda : public lcsm::Operation {
 public:
  ModesKernelCuda(std::shared_ptr<lcsm::Gpu> gpu, Tensor origin, std::int64_t T)
      : gpu_(std::move(gpu)), origin_(std::move(origin)), T_(T) {}

  Tensors forward(const Tensors& in) const override {
    const Tensor k =
        at::empty({in[0].size(0), in[0].size(1), T_}, in[0].options().dtype(at::kFloat));
    VandermondeCuda v = modes_of(in);
    v.kernel = data<float>(k);
    run(vandermonde_forward_calls(v));
    return {k};
  }

  Tensors backward(const Tensors& in, const Tensors&, const Tensors& d_out) const override {
    if (!d_out[0].defined()) return Tensors(in.size());
    const Tensor d_k = d_out[0].contiguous();
    Tensors d_in;
    for (const Tensor& each : in) d_in.push_back(at::empty_like(each));
    VandermondeCuda v = modes_of(in);
    v.d_kernel = data<float>(d_k);
    v.d_log_decay = data<double>(d_in[0]);
    v.d_weight = data<double>(d_in[1]);
    if (in.size() > 2) v.d_angle = data<double>(d_in[2]);
    if (in.size() > 3) v.d_weight_imag = data<double>(d_in[3]);
    run(vandermonde_backward_calls(v));
    return d_in;
  }

 private:
  VandermondeCuda modes_of(const Tensors& in) const {
    VandermondeCuda v = {};
    v.rows = static_cast<int>(in[0].size(0) * in[0].size(1));
    v.M = static_cast<int>(in[0].size(2));
    v.length = static_cast<int>(T_);
    v.log_decay = data<double>(in[0]);
    v.weight = data<double>(in[1]);
    if (in.size() > 2) v.angle = data<double>(in[2]);
    if (in.size() > 3) v.weight_imag = data<double>(in[3]);
    v.origin = data<double>(origin_);
    return v;
  }
  void run(const std::vector<lcsm::KernelCall>& calls) const {
    gpu_->run(vandermonde_source(), "a kernel of modes", calls);
  }

  const std::shared_ptr<lcsm::Gpu> gpu_;
  const Tensor origin_;
  const std::int64_t T_;
};

}  // namespace

Tensor vandermonde_taps_cuda(std::shared_ptr<lcsm::Gpu> gpu, const Tensors& inputs,
                             const Tensor& origin, std::int64_t T) {
  return lcsm::differentiable(c10::make_intrusive<ModesKernelCuda>(std::move(gpu), origin, T),
                              inputs)[0];
}

}  // namespace ets
