#include "ets/layer/part.h"

namespace ets {

lcsm::BlockState part_of(const lcsm::BlockState& whole, const std::string& prefix) {
  lcsm::BlockState part;
  for (const auto& [name, tensor] : whole)
    if (name.starts_with(prefix)) part[name.substr(prefix.size())] = tensor;
  return part;
}

void put_part(const lcsm::BlockState& part, const std::string& prefix, lcsm::BlockState* whole) {
  for (const auto& [name, tensor] : part) (*whole)[prefix + name] = tensor;
}

}  // namespace ets
