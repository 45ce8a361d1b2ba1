#include "ets/families/attention.h"

#include <stdexcept>

namespace ets {

void put_bias(const lcsm::Block& v, std::int64_t z, lcsm::BlockTensors* tensors) {
  using Group = lcsm::BlockTensors::Group;
  const std::string& kind = v.options.text("bias");
  const std::int64_t chunk = v.options.integer("chunk");
  if (kind == "simple")
    tensors->put_normal("distance", {2 * (chunk == 0 ? v.options.integer("positions") : chunk) - 1},
                        Group::kNorm, 0, 0.02);
  if (kind == "rotary")
    for (const char* name : {"rotary_query", "rotary_key"})
      tensors->put_normal(name, {z}, Group::kNorm, 0, 0.02);
}

void check_turned(const lcsm::Block& v, std::string_view option, std::int64_t z) {
  if (v.options.text("bias") == "rotary" && z % 2 != 0)
    throw std::invalid_argument(std::string(v.row->name) + ": option '" + std::string(option) +
                                "': expected an even number with bias=rotary, got " +
                                std::to_string(z));
}

}  // namespace ets
