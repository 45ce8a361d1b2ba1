// The names in a data set that was prepared of a user's own data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace runner {

// Names from the recipe of a user's own data set; empty for any other.
struct OwnNames {
  std::string from;                     // the last part of the path
  std::string tokens;                   // bytes, characters, words; "" of pictures
  std::vector<std::string> labels;      // by class
  std::vector<std::string> vocabulary;  // by token; of bytes: none
};
OwnNames own_names(std::string_view recipe);

// The number of the first example of a test split that is reported apart (MNLI's mismatched ones),
// as its recipe says.
std::optional<std::uint64_t> first_apart(std::string_view recipe);

}  // namespace runner
