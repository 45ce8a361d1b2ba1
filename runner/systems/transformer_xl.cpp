#include "runner/systems/transformer_xl.h"

#include <algorithm>
#include <stdexcept>

namespace runner {

using Group = lcsm::BlockTensors::Group;

lcsm::Parameters TransformerXl::tensors(std::int64_t d) const {
  constexpr double kSpread = 0.02;
  lcsm::BlockTensors tensors;
  tensors.put_normal("qkv.weight", {3 * d, d}, Group::kMatrices, 0, kSpread);
  tensors.put_normal("position.weight", {d, d}, Group::kMatrices, 0, kSpread);
  tensors.put_normal("output.weight", {d, d}, Group::kMatrices, 0, kSpread);
  tensors.put_normal("content_bias", {d}, Group::kNorm, 0, kSpread);
  tensors.put_normal("position_bias", {d}, Group::kNorm, 0, kSpread);
  lcsm::Parameters all = tensors.take();
  for (lcsm::Parameter& tensor : all) tensor.shared = tensor.name.ends_with("_bias");
  return all;
}

void TransformerXl::check(std::int64_t d) const {
  check_heads(kName, d, heads);
  if (d % 2 != 0)
    throw std::invalid_argument(
        "transformer-xl: expected an even number of channels, as positions "
        "are sines and cosines, got " +
        std::to_string(d));
}

lcsm::Mixing TransformerXl::mixing(std::int64_t d, double steps) const {
  lcsm::Mixing mixing = lcsm::pairs("attention over all pairs", 2 * lcsm::real(d), lcsm::real(d),
                                    steps + lcsm::real(memory), lcsm::real(memory) / 3);
  mixing.state = std::min(steps, lcsm::real(memory)) * lcsm::real(d);
  mixing.pairs = (attention_dropout > 0 ? 3 : 2) * lcsm::real(heads) * (steps + lcsm::real(memory));
  return mixing;
}

}  // namespace runner
