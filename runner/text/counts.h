// "3 done, 1 failed".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace runner {

struct Count {
  std::size_t number = 0;
  std::string_view what;
};

// Counts of 0 are left out.
std::string counts_text(const std::vector<Count>& counts);

}  // namespace runner
