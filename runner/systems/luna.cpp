// Luna (Ma et al. 2021): attention through a few packed positions, learned in each block.
#include <array>

#include "runner/systems/attention.h"
#include "runner/systems/blocks.h"

namespace runner {
namespace {

constexpr std::array kLunaOptions = {
    kHeads,
    kBidirectional,
    lcsm::integer("packed", "16", 1, "packed positions", "packed", 0),
    lcsm::word("activation", "softplus elu", "softplus",
               "activation of the causal form's packing weights; elu: elu + 1",
               "bidirectional=false"),
};

lcsm::Parameters tensors_of_luna(const lcsm::Block& v) {
  lcsm::BlockTensors tensors;
  tensors.put_normal("packed", {v.options.integer("packed"), v.d},
                     lcsm::BlockTensors::Group::kMatrices, 0, 1);
  const bool unpacks = v.options.flag("bidirectional");
  for (const char* name : {"pack_query", "pack_key", "pack_value", "query"})
    tensors.put_linear(name, v.d, v.d);
  if (unpacks)
    for (const char* name : {"key", "value"}) tensors.put_linear(name, v.d, v.d);
  put_output(v, &tensors);
  return tensors.take();
}

}  // namespace

const lcsm::BlockRow kLuna = {"luna",
                              "attention through packed positions, linear (Ma et al. 2021)",
                              lcsm::Lag::kCausalOnly,
                              kLunaOptions,
                              tensors_of_luna,
                              check_heads};

}  // namespace runner
