#include "ets/kernels/vandermonde.h"

#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>

#include <algorithm>

#include "ets/cpu/vandermonde_cpu.h"
#include "ets/kernels/vandermonde_cuda.h"
#include "lcsm/tensors/operation.h"

namespace ets {
namespace {

using at::Tensor;
using lcsm::data;
using lcsm::Tensors;

// Inputs, [G, D, M] in float64: log_decay, weight, then angle and weight_imag if they are defined.
class ModesKernel : public lcsm::Operation {
 public:
  ModesKernel(const Modes& modes, Tensor origin, std::int64_t T)
      : origin_(std::move(origin)),
        T_(T),
        dtype_(modes.weight.scalar_type()),
        turns_(modes.angle.defined()),
        turned_(turns_ && modes.weight_imag.defined()) {}

  Tensors forward(const Tensors& in) const override {
    const Tensor k = at::empty({in[0].size(0), in[0].size(1), T_}, in[0].options().dtype(dtype_));
    AT_DISPATCH_FLOATING_TYPES(dtype_, "modes_kernel", [&] {
      Vandermonde<scalar_t> v = modes_of<scalar_t>(in);
      v.kernel = data<scalar_t>(k);
      each_share(in, [&](std::int64_t first, std::int64_t last) {
        vandermonde_kernels<scalar_t>().forward(v, first, last);
      });
    });
    return {k};
  }

  Tensors backward(const Tensors& in, const Tensors&, const Tensors& d_out) const override {
    if (!d_out[0].defined()) return Tensors(in.size());
    const Tensor d_k = d_out[0].contiguous();
    Tensors d_in;
    for (const Tensor& each : in) d_in.push_back(at::empty_like(each));
    AT_DISPATCH_FLOATING_TYPES(dtype_, "modes_kernel_backward", [&] {
      Vandermonde<scalar_t> v = modes_of<scalar_t>(in);
      v.d_kernel = data<scalar_t>(d_k);
      v.d_log_decay = data<double>(d_in[0]);
      v.d_weight = data<double>(d_in[1]);
      if (turns_) v.d_angle = data<double>(d_in[2]);
      if (turned_) v.d_weight_imag = data<double>(d_in[3]);
      each_share(in, [&](std::int64_t first, std::int64_t last) {
        vandermonde_kernels<scalar_t>().backward(v, first, last);
      });
    });
    return d_in;
  }

 private:
  template <class T>
  Vandermonde<T> modes_of(const Tensors& in) const {
    Vandermonde<T> v;
    v.M = in[0].size(2);
    v.length = T_;
    v.log_decay = data<double>(in[0]);
    v.weight = data<double>(in[1]);
    if (turns_) v.angle = data<double>(in[2]);
    if (turned_) v.weight_imag = data<double>(in[3]);
    v.origin = data<double>(origin_);
    return v;
  }

  template <class Work>
  void each_share(const Tensors& in, const Work& work) const {
    constexpr std::int64_t kTerms = 1 << 16;  // worth a thread
    const std::int64_t row = std::max<std::int64_t>(in[0].size(2) * T_, 1);
    at::parallel_for(0, in[0].size(0) * in[0].size(1), (kTerms + row - 1) / row, work);
  }

  const Tensor origin_;
  const std::int64_t T_;
  const at::ScalarType dtype_;
  const bool turns_, turned_;
};

}  // namespace

bool fit_for_vandermonde(const Modes& modes, const lcsm::GpuOrCpu& gpu) {
  const Tensor& weight = modes.weight;
  // This does not synchronize with a GPU: modes that grow too fast give infinities there, so the
  // run ends.
  if (gpu) return weight.scalar_type() == at::kFloat;
  return weight.is_cpu() &&
         (weight.scalar_type() == at::kFloat || weight.scalar_type() == at::kDouble) &&
         (!modes.origin.defined() ||
          (modes.log_decay.detach() <= kFastestGrowth).all().item<bool>());
}

Tensor vandermonde_taps(const Modes& modes, std::int64_t T, const lcsm::GpuOrCpu& gpu) {
  const auto part = [&](const Tensor& of) {
    return of.to(at::kDouble).expand_as(modes.weight).contiguous();
  };
  Tensors inputs{part(modes.log_decay), part(modes.weight)};
  if (modes.angle.defined()) {
    inputs.push_back(part(modes.angle));
    if (modes.weight_imag.defined()) inputs.push_back(part(modes.weight_imag));
  }
  const Tensor origin = modes.origin.defined() ? part(modes.origin.detach()) : Tensor();
  if (gpu) return vandermonde_taps_cuda(gpu, inputs, origin, T);
  return lcsm::differentiable(c10::make_intrusive<ModesKernel>(modes, origin, T), inputs)[0];
}

Tensor fast_taps_of(const Filter& filter, std::int64_t T, const lcsm::GpuOrCpu& gpu) {
  const auto* const modes = std::get_if<Modes>(&filter.kernel);
  if (modes == nullptr || !fit_for_vandermonde(*modes, gpu)) return taps_of(filter, T);
  Filter known = filter;
  known.kernel = Taps{
      vandermonde_taps(*modes, filter.truncation > 0 ? std::min(filter.truncation, T) : T, gpu)};
  return taps_of(known, T);
}

}  // namespace ets
