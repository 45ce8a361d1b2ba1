// Counts as text: "3 done, 1 failed".
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lcsm/base/words.h"

namespace runner {

using lcsm::counted;

struct Count {
  std::size_t number = 0;
  std::string_view what;
};

inline double gib(std::uint64_t bytes) { return static_cast<double>(bytes) / (1U << 30); }

// Counts of 0 are left out.
std::string counts_text(const std::vector<Count>& counts);

}  // namespace runner
