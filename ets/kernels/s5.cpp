// h_t = q h_{t-1} + (w B) x_t, y = 2 Re(C h): q and w as in s4d.cpp, a step for each mode. Without
// conjugates y = Re(C h).
#include "ets/families/s5.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/clamp_max.h>
#include <ATen/ops/complex.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/expm1.h>
#include <ATen/ops/imag.h>
#include <ATen/ops/log.h>
#include <ATen/ops/real.h>

#include "ets/kernels/kernels.h"

namespace ets {

using at::Tensor;

Filter S5::filter(const lcsm::Weights& weights, std::int64_t, const lcsm::GpuOrCpu&) const {
  constexpr double kLargestReal = -1e-4;  // the authors'
  Tensor A = complex_of(weights.at("rate"));
  if (clip) A = at::complex(at::clamp_max(at::real(A), kLargestReal), at::imag(A));
  const Tensor dt = at::exp(weights.at("log_step")), dtA = dt * A;
  const bool zoh = discretization == "zoh";
  const Tensor log_decay = zoh ? dtA : at::log((1 + dtA / 2) / (1 - dtA / 2));
  const Tensor w = zoh ? at::expm1(dtA) / A : dt / (1 - dtA / 2);
  Filter filter;
  filter.kernel = SharedModes{at::real(log_decay), at::imag(log_decay),
                              w.unsqueeze(1) * complex_of(weights.at("expand")),
                              (conjugate ? 2.0 : 1.0) * complex_of(weights.at("shrink"))};
  return filter;
}

}  // namespace ets
