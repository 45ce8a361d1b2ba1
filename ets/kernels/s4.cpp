// The generating function of the kernel at the roots of unity w = e^(-2 pi i k / L), with
// z = 2 (1 - w) / (1 + w) and r_bc = sum over n of b_n c_n dt / (z - dt L_n) and its conjugate
// twin:
//   K(w) = 2 / (1 + w) (r_BC - r_BQ r_PC / (1 + r_PQ)),  Q = conj(P).
// All is multiplied through by 1 + w, so nothing is singular at w = -1. C is C (I - A^L).
#include "ets/families/s4.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/complex.h>
#include <ATen/ops/diag_embed.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/fft_irfft.h>
#include <ATen/ops/linalg_matrix_power.h>
#include <ATen/ops/linalg_solve.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/real.h>
#include <ATen/ops/view_as_real.h>

#include "ets/kernels/cauchy.h"
#include "ets/kernels/kernels.h"

namespace ets {
namespace {

using at::Tensor;

struct Dplr {
  Tensor dt, dtL, P, B;  // [D, 1], [D, M], [D, M], [D, M]
};

Dplr dplr_of(const lcsm::Weights& weights, const StepWord& step) {
  const Tensor dt = step_of(step, weights.at("raw_step")).unsqueeze(1);
  const std::int64_t d = dt.size(0);
  return {dt, dt * rates_of(weights, d), for_channels(complex_of(weights.at("low_rank")), d),
          for_channels(complex_of(weights.at("expand")), d)};
}

Tensor with_conjugate(const Tensor& modes) { return at::cat({modes, modes.conj()}, -1); }

// Discrete A [D, 2M, 2M] and B [D, 2M] by the bilinear rule.
std::pair<Tensor, Tensor> discrete(const Dplr& s) {
  const Tensor P = with_conjugate(s.P);
  const Tensor half = (at::diag_embed(with_conjugate(s.dtL)) -
                       s.dt.unsqueeze(-1) * P.unsqueeze(-1) * P.conj().unsqueeze(-2)) /
                      2;
  const Tensor one = at::eye(half.size(-1), half.options());
  const Tensor B = (s.dt * with_conjugate(s.B)).unsqueeze(-1);
  const Tensor both = at::linalg_solve(one - half, at::cat({one + half, B}, -1));
  const std::int64_t N = half.size(-1);
  return {both.narrow(-1, 0, N), both.select(-1, N)};
}

// y A for rows y [G, D, N].
Tensor rows_times(const Tensor& rows, const Tensor& A) {
  return at::matmul(rows.unsqueeze(-2), A).squeeze(-2);
}

Tensor kernel_at(const Dplr& s, const Tensor& C, std::int64_t L, const lcsm::GpuOrCpu& gpu) {
  const std::int64_t G = C.size(0);
  const Tensor Q = s.P.conj();
  const Tensor v =
      s.dt * at::cat({s.B * C, s.P * C, (s.B * Q).unsqueeze(0), (s.P * Q).unsqueeze(0)});
  const Tensor r = v.is_cpu() || gpu ? cauchy_sums(v, s.dtL, L, gpu) : cauchy_formula(v, s.dtL, L);
  const Tensor b = 1 + roots_of_unity(L, s.dtL), BC = r.narrow(0, 0, G), PC = r.narrow(0, G, G),
               BQ = r.select(0, 2 * G), PQ = r.select(0, 2 * G + 1);
  return at::fft_irfft(2 * (BC - b * BQ * PC / (1 + b * PQ)), L);
}

}  // namespace

Tensor S4::shrink_for(const lcsm::Weights& weights, std::int64_t from, std::int64_t to) const {
  const Tensor A = discrete(dplr_of(weights, step)).first;
  const std::int64_t M = A.size(-1) / 2;
  Tensor C = with_conjugate(complex_of(weights.at("shrink")));
  if (from == 0) C = C - rows_times(C, at::linalg_matrix_power(A, to));
  for (std::int64_t L = from; L > 0 && L < to; L *= 2)
    C = C + rows_times(C, at::linalg_matrix_power(A, L));
  return at::view_as_real(C.narrow(-1, 0, M));
}

Filter S4::filter(const lcsm::Weights& weights, std::int64_t T, const lcsm::GpuOrCpu& gpu) const {
  std::int64_t L = length == 0 ? T : length;
  while (L < T) L *= 2;
  const Tensor C = complex_of(L == length ? weights.at("shrink") : shrink_for(weights, length, L));
  Filter filter;
  filter.kernel = Taps{kernel_at(dplr_of(weights, step), C, L, gpu).narrow(-1, 0, T)};
  filter.of_length = true;
  return filter;
}

Filter S4::state_space(const lcsm::Weights& weights) const {
  const auto [A, B] = discrete(dplr_of(weights, step));
  Tensor C = with_conjugate(complex_of(weights.at("shrink")));
  if (length > 0) {
    const Tensor factor = at::eye(A.size(-1), A.options()) - at::linalg_matrix_power(A, length);
    C = at::linalg_solve(factor.mT(), C.unsqueeze(-1)).squeeze(-1);
  }
  Filter filter;
  filter.kernel = StateSpace{A, B, C};
  return filter;
}

}  // namespace ets
