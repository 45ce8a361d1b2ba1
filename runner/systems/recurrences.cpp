#include "runner/systems/recurrences.h"

#include <cmath>

#include "lcsm/block/block_tensors.h"

namespace runner {
namespace {

using Group = lcsm::BlockTensors::Group;

struct Depth {
  double share, rest;  // 0 in the first layer to 1 in the last; 1 to 1 / layers
};
Depth depth_of(const lcsm::LayerPlaceOptions& place) {
  const auto layer = static_cast<double>(place.layer), layers = static_cast<double>(place.layers);
  return {layers > 1 ? layer / (layers - 1) : 0, 1 - layer / layers};
}

// (index / d)^power + more, which leaves much of the present in later channels and early blocks.
void put_mix(lcsm::BlockTensors& tensors, const std::string& name, std::int64_t d, double power,
             double more) {
  lcsm::Values values(static_cast<std::size_t>(d));
  for (std::size_t n = 0; n < values.size(); ++n)
    values[n] = std::pow(static_cast<double>(n) / static_cast<double>(d), power) + more;
  tensors.put_rows(name, {d}, Group::kGate, "(index / d)^(power of the layer)", values);
}

void put_zeros(lcsm::BlockTensors& tensors, const std::string& name, std::int64_t outputs,
               std::int64_t inputs) {
  tensors.put_constant(name + ".weight", {outputs, inputs}, Group::kMatrices, 0);
}

}  // namespace

lcsm::Parameters Rwkv4::tensors(std::int64_t d) const {
  const Depth depth = depth_of(*this);
  lcsm::BlockTensors tensors;
  put_mix(tensors, "mix.key", d, depth.rest, 0);
  put_mix(tensors, "mix.value", d, depth.rest, 0.3 * depth.share);
  put_mix(tensors, "mix.gate", d, 0.5 * depth.rest, 0);
  put_zeros(tensors, "key", d, d);
  tensors.put_orthogonal("value", d, d, 1);
  put_zeros(tensors, "gate", d, d);
  lcsm::Values rates(static_cast<std::size_t>(d)), first(static_cast<std::size_t>(d));
  for (std::size_t n = 0; n < rates.size(); ++n) {
    const double share = static_cast<double>(n) / std::max<double>(static_cast<double>(d) - 1, 1);
    rates[n] = -5 + 8 * std::pow(share, 0.7 + 1.3 * depth.share);
    first[n] = std::log(0.3) + 0.5 * (static_cast<double>((n + 1) % 3) - 1);
  }
  tensors.put_rows("log_decay", {d}, Group::kGate,
                   "-5 + 8 (index / (d - 1))^(0.7 + 1.3 layer / (layers - 1))", rates);
  tensors.put_rows("present", {d}, Group::kGate, "log(0.3) + 0, 0.5, -0.5, 0, ...", first);
  put_zeros(tensors, "output", d, d);
  return tensors.take();
}

// Two exponentials and two weighted means a channel; a mix of two steps for each projection.
lcsm::Mixing Rwkv4::mixing(std::int64_t d, double) const {
  return {"running softmax, one pass", (40 + 3 * 4) * lcsm::real(d), 3 * lcsm::real(d)};
}

lcsm::Parameters Rwkv4Feed::tensors(std::int64_t d) const {
  const std::int64_t inside = width > 0 ? width : 4 * d;
  const Depth depth = depth_of(*this);
  lcsm::BlockTensors tensors;
  put_mix(tensors, "mix.key", d, depth.rest, 0);
  put_mix(tensors, "mix.gate", d, depth.rest, 0);
  tensors.put_orthogonal(
      "key", inside, d,
      std::sqrt(std::max(1.0, static_cast<double>(inside) / static_cast<double>(d))));
  put_zeros(tensors, "gate", d, d);
  put_zeros(tensors, "value", d, inside);
  return tensors.take();
}

lcsm::Mixing Rwkv4Feed::mixing(std::int64_t d, double) const {
  return {"short convolution", 2 * lcsm::convolution(2, lcsm::real(d)), lcsm::real(d)};
}

lcsm::Parameters Hgrn::tensors(std::int64_t d) const {
  const std::int64_t parts = form == "complex" ? 2 : 1, angles = shared || !bidirectional ? 1 : 2;
  lcsm::BlockTensors tensors;
  tensors.put_linear("input", parts * d, d);
  tensors.put_linear("decay", d, d);
  if (parts == 2) {
    lcsm::Values angle(static_cast<std::size_t>(d));
    for (std::size_t n = 0; n < angle.size(); ++n)
      angle[n] = std::pow(10000, -2 * static_cast<double>(n) / static_cast<double>(d));
    tensors.put_rows("angle", {angles, d}, Group::kGate, "10000^(-2 index / d)", angle);
  }
  if (bound == "learned") tensors.put_shared("lower_bound", {layers, d}, Group::kGate, 1);
  tensors.put_linear("gate", parts * d, d);
  tensors.put_constant("norm.weight", {parts * d}, Group::kNorm, 1);
  tensors.put_constant("norm.bias", {parts * d}, Group::kNorm, 0);
  tensors.put_linear("output", d, parts * d);
  return tensors.take();
}

// The gate once per channel; a complex memory is rotated forward and back.
lcsm::Mixing Hgrn::mixing(std::int64_t d, double) const {
  const double parts = form == "complex" ? 2 : 1, width = lcsm::real(d);
  return {"fused scan",
          (bidirectional ? 2 : 1) * (4 * parts + (form == "complex" ? 12 : 0)) * width,
          parts * width};
}

}  // namespace runner
