#include "lcsm/machines/modes_call.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/complex.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/real.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/view_as_real.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>

#include <numeric>

namespace lcsm {
namespace {

using at::Tensor;

constexpr std::int64_t kModeCellsPerThread = 50000;
// Steps of a block: at least as many as a channel's state has numbers, so that the states before
// the blocks take no more room than x.
constexpr std::int64_t kFewestSteps = 64, kMostSteps = 256;

Tensor power(Tensor z, std::int64_t n) {
  Tensor result = at::ones_like(z);
  for (; n > 0; n /= 2, z = z * z)
    if (n % 2 == 1) result = result * z;
  return result;
}

}  // namespace

std::int64_t block_of(const std::vector<Direction>& directions) {
  std::int64_t numbers = 0;
  for (const Direction& each : directions)
    numbers += each.q.size(0) * (each.q.is_complex() ? 2 : 1);
  return std::clamp(8 * ((numbers + 31) / 32 * 32), kFewestSteps, kMostSteps);
}

Tensor planes(const Tensor& z, std::int64_t columns) {
  Tensor parts = z.is_complex() ? at::view_as_real(z).movedim(-1, -3) : z.unsqueeze(-3);
  return at::constant_pad_nd(parts, {0, columns - z.size(-1)}).contiguous();
}
Tensor unplanes(const Tensor& parts, std::int64_t D) {
  const Tensor cut = parts.narrow(-1, 0, D);
  const Tensor real = cut.select(-3, 0).contiguous();
  return parts.size(-3) == 1 ? real : at::complex(real, cut.select(-3, 1).contiguous());
}

ModesShares::ModesShares(const Tensor& x, const std::vector<Direction>& directions,
                         std::int64_t strip)
    : D(x.size(2)), width(strip) {
  const std::int64_t B = x.size(0), strips = (D + strip - 1) / strip;
  std::int64_t modes = 0;
  for (const Direction& each : directions) modes += each.q.size(0);
  const std::int64_t threads =
      std::clamp<std::int64_t>(x.numel() * modes / kModeCellsPerThread, 1, at::get_num_threads());
  if (B < 4 * threads) groups = std::min(threads / std::gcd(threads, B), strips);
  tasks = B * groups;
  workers = std::min(threads, tasks);
}

template <class T>
ModesCall<T>::ModesCall(const Tensor& x, const std::vector<Direction>& directions,
                        std::int64_t block, bool keeps_states, const Tensors& states)
    : x_(x), shares_(x, directions, modes_kernels<T>().strip) {
  const std::int64_t strip = modes_kernels<T>().strip;
  scan_.steps = x.size(1);
  scan_.D = x.size(2);
  scan_.columns = (scan_.D + strip - 1) / strip * strip;
  scan_.block = block;
  for (std::size_t n = 0; n < directions.size(); ++n)
    pack(directions[n], keeps_states, states.empty() ? Tensor() : states[n]);
}

template <class T>
ModesScan<T> ModesCall<T>::scan() const {
  ModesScan<T> scan = scan_;
  scan.x = data<T>(x_);
  for (std::size_t n = 0; n < packed_.size(); ++n) {
    const PackedDirection& from = packed_[n];
    ModesDirection<T>& to = scan.directions[n];
    to.q = data<T>(from.q);
    to.c = data<T>(from.c);
    to.powers = data<T>(from.powers);
    to.u = data<double>(from.u);
    to.states = from.states.numel() > 0 ? data<T>(from.states) : nullptr;
    to.w = data<double>(from.w);
    to.w_x = data<double>(from.w_x);
    to.w_u = data<double>(from.w_u);
  }
  return scan;
}

template <class T>
Tensor ModesCall<T>::zeros(at::IntArrayRef shape) const {
  return at::zeros(shape, x_.options().dtype(at::kDouble));
}

template <class T>
void ModesCall<T>::pack(const Direction& direction, bool keeps_states, const Tensor& states) {
  const std::int64_t B = x_.size(0), N = direction.q.size(0), columns = scan_.columns;
  const std::int64_t parts = direction.q.is_complex() ? 2 : 1;
  const Tensor q = planes(direction.q, columns);
  PackedDirection to;
  to.q = q.to(x_.scalar_type());
  to.c = planes(direction.c, columns).to(x_.scalar_type());
  if (sizeof(T) == 4) to.powers = powers(direction.q, to.q);
  to.u =
      direction.u.defined() ? planes(direction.u, columns).clone() : zeros({B, parts, N, columns});
  to.states =
      states.defined()
          ? states
          : at::empty({B, keeps_states ? scan_.blocks() : 0, parts, N, columns}, x_.options());
  to.w = zeros({B, parts, N, columns});
  to.w_x = zeros({shares_.workers, parts, N, columns});
  to.w_u = zeros({shares_.workers, parts, N, columns});
  packed_.push_back(std::move(to));
  scan_.directions.push_back(
      {.shape = {N, columns, parts}, .back = direction.back, .late = direction.late});
}

template <class T>
Tensor ModesCall<T>::powers(const Tensor& exact, const Tensor& packed_q) const {
  const std::int64_t last = scan_.steps - (scan_.blocks() - 1) * scan_.block;
  const Tensor q = unplanes(packed_q.to(at::kDouble), scan_.D);
  Tensors all;
  for (const std::int64_t n : {scan_.block, last}) {
    const Tensor power_n = power(exact, n);
    for (const Tensor& each : {power_n, power_n - power(q, n)})
      all.push_back(planes(each, scan_.columns).to(x_.scalar_type()));
  }
  return at::stack(all);
}

template <class T>
Tensor ModesCall<T>::w_x(std::size_t n) const {
  return unplanes(packed_[n].w_x.sum(0), scan_.D);
}
template <class T>
Tensor ModesCall<T>::w_u(std::size_t n) const {
  return unplanes(packed_[n].w_u.sum(0), scan_.D);
}

template class ModesCall<float>;
template class ModesCall<double>;

}  // namespace lcsm
