// softmax: see softmax.h; exp: k_t = Re(sum over n of W_n (e^z - 1) / rate e^(t z)). No factor 2.
// z has one step size for its real part and one for its imaginary part.
#include "ets/families/dss.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/clamp_min.h>
#include <ATen/ops/complex.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/expm1.h>
#include <ATen/ops/imag.h>
#include <ATen/ops/real.h>
#include <ATen/ops/where.h>

#include "ets/kernels/kernels.h"
#include "ets/kernels/softmax.h"

namespace ets {

using at::Tensor;

Tensor guarded_reciprocal(const Tensor& x, Guard guard) {
  constexpr double kLeast = 1e-7;  // the authors'
  const Tensor square = at::real(x * x.conj());
  return x.conj() / (guard == Guard::kSum ? square + kLeast : at::clamp_min(square, kLeast));
}

Modes softmax_modes(const Tensor& z, const Tensor& rate, const Tensor& weight, std::int64_t T,
                    Guard guard, const lcsm::GpuOrCpu& gpu) {
  const auto length = static_cast<double>(T);
  const Tensor grows = at::real(rate).detach() > 0;
  const Tensor falling = at::where(grows, -z, z);
  const Tensor c =
      weight * at::expm1(falling) * guarded_reciprocal(rate * at::expm1(length * falling), guard);
  Modes modes = modes_of_log_decay(z, c);
  if (gpu || grows.any().item<bool>())  // no test on a GPU: it would synchronize
    modes.origin = (length - 1) * grows.to(modes.log_decay.scalar_type());
  return modes;
}

Filter Dss::filter(const lcsm::Weights& weights, std::int64_t T, const lcsm::GpuOrCpu& gpu) const {
  const bool softmax = form == "softmax";
  const Tensor rate = softmax
                          ? complex_of(weights.at("rate"))
                          : at::complex(-at::exp(weights.at("log_decay")), weights.at("frequency"));
  const Tensor step = at::exp(weights.at("log_step"));  // [D, 2]
  const Tensor z = at::complex(at::real(rate) * step.select(1, 0).unsqueeze(1),
                               at::imag(rate) * step.select(1, 1).unsqueeze(1));
  const Tensor weight = complex_of(weights.at("shrink"));
  Filter filter;
  filter.of_length = softmax;
  filter.kernel = softmax ? softmax_modes(z, rate, weight, T, Guard::kSum, gpu)
                          : modes_of_log_decay(
                                z, weight * at::expm1(z) * guarded_reciprocal(rate, Guard::kMax));
  return filter;
}

}  // namespace ets
