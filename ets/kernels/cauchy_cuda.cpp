#include "ets/kernels/cauchy_cuda.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>

#include <cstdint>

#include "ets/cuda/cauchy_calls.h"

namespace ets {
namespace {

using at::Tensor;
using lcsm::data;
using lcsm::Tensors;

class CauchySumsCuda : public lcsm::Operation {
 public:
  CauchySumsCuda(std::shared_ptr<lcsm::Gpu> gpu, std::int64_t length)
      : gpu_(std::move(gpu)), length_(length) {}

  Tensors forward(const Tensors& in) const override {
    const Tensor r = at::empty({in[2].size(0), in[0].size(0), length_ / 2 + 1, 2},
                               in[0].options().dtype(at::kFloat));
    CauchyCuda c = cauchy_of(in);
    c.r = data<float>(r);
    run(in, c, cauchy_forward_calls);
    return {r};
  }

  Tensors backward(const Tensors& in, const Tensors&, const Tensors& d_out) const override {
    if (!d_out[0].defined()) return Tensors(in.size());
    const Tensor d_r = d_out[0].contiguous();
    Tensors d_in;
    for (const Tensor& each : in) d_in.push_back(at::empty_like(each));
    CauchyCuda c = cauchy_of(in);
    c.d_r = data<float>(d_r);
    c.d_real = data<double>(d_in[0]);
    c.d_square = data<double>(d_in[1]);
    c.d_v_real = data<double>(d_in[2]);
    c.d_v_rate = data<double>(d_in[3]);
    run(in, c, cauchy_backward_calls);
    return d_in;
  }

 private:
  CauchyCuda cauchy_of(const Tensors& in) const {
    CauchyCuda c = {};
    c.D = static_cast<int>(in[0].size(0));
    c.M = static_cast<int>(in[0].size(1));
    c.length = static_cast<int>(length_);
    c.real = data<double>(in[0]);
    c.square = data<double>(in[1]);
    c.v_real = data<double>(in[2]);
    c.v_rate = data<double>(in[3]);
    return c;
  }
  void run(const Tensors& in, const CauchyCuda& c, decltype(cauchy_forward_calls)* calls) const {
    gpu_->run(cauchy_source(), "the sums of S4's kernel",
              calls(c, static_cast<int>(in[2].size(0))));
  }

  const std::shared_ptr<lcsm::Gpu> gpu_;
  const std::int64_t length_;
};

}  // namespace

Tensor cauchy_sums_cuda(std::shared_ptr<lcsm::Gpu> gpu, const Tensors& inputs, std::int64_t L) {
  return lcsm::differentiable(c10::make_intrusive<CauchySumsCuda>(std::move(gpu), L), inputs)[0];
}

}  // namespace ets
