// Counts as text: "3 done, 1 failed".
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace runner {

struct Count {
  std::size_t number = 0;
  std::string_view what;
};

// "1 run", "3 runs".
std::string counted(std::integral auto number, const std::string& what) {
  return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
}

inline double gib(std::uint64_t bytes) { return static_cast<double>(bytes) / (1U << 30); }

// Counts of 0 are left out.
std::string counts_text(const std::vector<Count>& counts);

}  // namespace runner
