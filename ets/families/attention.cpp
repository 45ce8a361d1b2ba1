#include "ets/families/attention.h"

#include <stdexcept>

namespace ets {

using Group = lcsm::BlockTensors::Group;

void ChunkOptions::put_bias(std::int64_t z, lcsm::BlockTensors* tensors) const {
  if (bias == "simple")
    tensors->put_normal("distance", {2 * (chunk == 0 ? positions : chunk) - 1}, Group::kNorm, 0,
                        0.02);
  if (bias == "rotary")
    for (const char* name : {"rotary_query", "rotary_key"})
      tensors->put_normal(name, {z}, Group::kNorm, 0, 0.02);
}

void ChunkOptions::check_turned(std::string_view block, std::string_view option,
                                std::int64_t z) const {
  if (bias == "rotary" && z % 2 != 0)
    throw std::invalid_argument(std::string(block) + ": option '" + std::string(option) +
                                "': expected an even number with bias=rotary, got " +
                                std::to_string(z));
}

lcsm::Mixing ChunkOptions::pairs(double keys, double values, double steps) const {
  const double seen = chunk > 0 ? std::min(steps, lcsm::real(chunk)) : steps;
  return lcsm::pairs(chunk > 0 ? "attention within chunks" : "attention over all pairs", keys,
                     values, seen, seen);
}

}  // namespace ets
