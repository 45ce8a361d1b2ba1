// RWKV-4: the time mix and the channel mix.
#include <array>
#include <cmath>

#include "lcsm/block/block_tensors.h"
#include "runner/systems/blocks.h"

namespace runner {
namespace {

using Group = lcsm::BlockTensors::Group;

constexpr std::array kRwkv4Options = {lcsm::kLayer, lcsm::kLayers};
constexpr std::array kFeedOptions = {
    lcsm::kLayer,
    lcsm::kLayers,
    lcsm::integer("width", "0", 0, "inner channels; 0: 4 d", "key.weight", 0),
};

struct Depth {
  double share, rest;  // 0 in the first layer to 1 in the last; 1 to 1 / layers
};
Depth depth_of(const lcsm::Block& v) {
  const auto layer = static_cast<double>(v.options.integer("layer")),
             layers = static_cast<double>(v.options.integer("layers"));
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

lcsm::Parameters tensors_of_rwkv4(const lcsm::Block& v) {
  const std::int64_t d = v.d;
  const Depth depth = depth_of(v);
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

lcsm::Parameters tensors_of_feed(const lcsm::Block& v) {
  const std::int64_t d = v.d, given = v.options.integer("width"), width = given > 0 ? given : 4 * d;
  const Depth depth = depth_of(v);
  lcsm::BlockTensors tensors;
  put_mix(tensors, "mix.key", d, depth.rest, 0);
  put_mix(tensors, "mix.gate", d, depth.rest, 0);
  tensors.put_orthogonal(
      "key", width, d,
      std::sqrt(std::max(1.0, static_cast<double>(width) / static_cast<double>(d))));
  put_zeros(tensors, "gate", d, d);
  put_zeros(tensors, "value", d, width);
  return tensors.take();
}

}  // namespace

const lcsm::BlockRow kRwkv4 = {"rwkv4",
                               "the time mix of RWKV-4: a running softmax that decays",
                               lcsm::Lag::kCausalOnly,
                               kRwkv4Options,
                               tensors_of_rwkv4,
                               [](const lcsm::Block&) {}};

const lcsm::BlockRow kRwkv4Feed = {"rwkv4-feed",           "the channel mix of RWKV-4",
                                   lcsm::Lag::kCausalOnly, kFeedOptions,
                                   tensors_of_feed,        [](const lcsm::Block&) {}};

}  // namespace runner
