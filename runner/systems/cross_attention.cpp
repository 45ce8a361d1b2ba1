#include "runner/systems/cross_attention.h"

#include <stdexcept>

#include "ets/families/mega.h"
#include "runner/systems/blocks.h"

namespace runner {

lcsm::Parameters CrossAttention::tensors(std::int64_t d) const {
  lcsm::BlockTensors tensors;
  for (const char* name : {"query", "key", "value", "output"}) tensors.put_linear(name, d, d);
  return tensors.take();
}

lcsm::Mixing CrossAttention::mixing(std::int64_t d, double steps) const {
  return lcsm::pairs("attention to the source", lcsm::real(d), lcsm::real(d), steps, steps);
}

lcsm::Parameters GatedCrossAttention::tensors(std::int64_t d) const {
  const std::int64_t z = decoder.keys(d);
  ets::Mega whole = decoder;
  whole.chunk = 0;  // it sees the whole source
  lcsm::BlockTensors tensors;
  tensors.put_small_linear("key", z, d);
  tensors.put_small_linear("value", d, d);
  tensors.put_small_linear("query", 2 * d + z, d);
  whole.put_bias(z, &tensors);
  tensors.put_small_linear("hidden", d, d);
  return tensors.take();
}

lcsm::Mixing GatedCrossAttention::mixing(std::int64_t d, double steps) const {
  return lcsm::pairs("gated attention to the source", lcsm::real(decoder.keys(d)), lcsm::real(d),
                     steps, steps);
}

Cross cross_of(const lcsm::Block& mixer) {
  if (mixer.row == &lcsm::block_row<Transformer>)
    return CrossAttention{mixer.as<Transformer>().heads};
  if (mixer.row == &lcsm::block_row<ets::Mega>) return GatedCrossAttention{mixer.as<ets::Mega>()};
  throw std::invalid_argument(
      "an encoder-decoder expected transformer, mega or mega-chunk, whose authors say how a "
      "decoder "
      "reads the encoder, got " +
      std::string(mixer.row->name));
}

lcsm::Parameters tensors_of(const Cross& cross, std::int64_t d) {
  return std::visit([d](const auto& each) { return each.tensors(d); }, cross);
}

lcsm::Mixing mixing_of(const Cross& cross, std::int64_t d, double steps) {
  return std::visit([=](const auto& each) { return each.mixing(d, steps); }, cross);
}

System two_sided(System system) {
  if (system.mixer.has("bidirectional")) system.mixer.set("bidirectional", "true");
  if (system.mixer.has("causal")) system.mixer.set("causal", "false");
  if (!is_two_sided(system))
    throw std::invalid_argument("an encoder expected a system that may see later steps, got " +
                                std::string(system.row->name));
  return system;
}

}  // namespace runner
