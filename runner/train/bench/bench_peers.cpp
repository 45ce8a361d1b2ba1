#include "runner/train/bench/bench_peers.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/cos.h>
#include <ATen/ops/cumsum.h>
#include <ATen/ops/sin.h>
#include <fmt/format.h>

#include "lcsm/base/allowance.h"
#include "runner/train/bench/bench_peers_sequence.h"

namespace runner {

using at::Tensor;

namespace {

lcsm::RecurrenceInputs widened(const lcsm::RecurrenceInputs& in) {
  const at::ScalarType sums = lcsm::state_dtype(in.i.scalar_type());
  lcsm::RecurrenceInputs wide{in.i.to(sums), in.e.to(sums), in.s.to(sums), {}, {}};
  for (const auto& [symbol, tensor] : in.symbols) wide.symbols[symbol] = tensor.to(sums);
  return wide;
}

Peer chunk_peer(const std::string& name, std::int64_t length) {
  return {name,
          [length](const lcsm::Variant& v, const lcsm::RecurrenceInputs& in) {
            return in_chunks(v, widened(in), length).to(in.i.scalar_type());
          },
          [length](const lcsm::Variant& v, const lcsm::RecurrenceInputs& in) {
            return chunks_refusal(v, widened(in), length);
          }};
}

}  // namespace

std::vector<Peer> peers_of(const lcsm::Variant& variant) {
  std::vector<Peer> peers = {{"loop",
                              [](const lcsm::Variant& v, const lcsm::RecurrenceInputs& in) {
                                return loop_over_time(v, widened(in)).to(in.i.scalar_type());
                              },
                              [](const lcsm::Variant& v, const lcsm::RecurrenceInputs& in) {
                                return loop_refusal(v, widened(in));
                              }}};
  if (has_chunks(variant)) {
    peers.push_back(chunk_peer("quadratic", 0));
    peers.push_back(chunk_peer("chunk64", 64));
  }
  return peers;
}

// The angle is summed in float64: after 500 turns a float32 has lost four digits.
Rotated rotated(const lcsm::Variant& v, const lcsm::RecurrenceInputs& in, const Tensor& e,
                const Tensor& s) {
  const Tensor step = Sequence(v, in).whole(v.gate.angle).to(at::kDouble);
  const Tensor sum = step.dim() == 3 ? at::cumsum(step, 1)
                                     : at::arange(in.i.size(1), step.options()).unsqueeze(1) * step;
  const Tensor c = at::cos(sum).to(e.options()), n = at::sin(sum).to(e.options());
  return {at::cat({e * c, e * n}, -1), at::cat({s * c, s * n}, -1)};
}

std::string too_much(double count, const Tensor& x) {
  const double bytes = count * static_cast<double>(x.element_size());
  const auto free = static_cast<double>(lcsm::read_allowance().memory_free);
  if (bytes <= free) return "";
  return fmt::format("it needs up to {:.1f} GiB, but only {:.1f} GiB of memory are free",
                     bytes / (1 << 30), free / (1 << 30));
}

}  // namespace runner
