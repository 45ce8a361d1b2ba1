// The names in a data set that was prepared from a user's own data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace runner {

// Names from the recipe of a user's own data set; empty for any other.
struct OwnNames {
  std::string from;                     // the path's last part
  std::string tokens;                   // bytes, characters, words; "" of pictures
  std::vector<std::string> labels;      // by class
  std::vector<std::string> vocabulary;  // by token; empty for bytes
};
OwnNames own_names(std::string_view recipe);

// From a recipe: the number of the first test example that is reported separately (MNLI's
// mismatched ones).
std::optional<std::uint64_t> first_apart(std::string_view recipe);

}  // namespace runner
