#pragma once

#include <vector>

#include "lcsm/base/random.h"

namespace lcsm {

using Values = std::vector<double>;

inline Values random_values(std::int64_t count, std::uint64_t seed) {
  Random random(seed);
  Values values(static_cast<std::size_t>(count));
  for (double& value : values) value = random.normal();
  return values;
}

}  // namespace lcsm
