// The splits of a task's examples: training, validation and test.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace runner {

// A format: other values draw other examples (random.h).
enum class Split : std::uint32_t { kTrain = 1, kValid = 2, kTest = 3 };

inline constexpr std::array kSplits = {Split::kTrain, Split::kValid, Split::kTest};

// The split's index in kSplits.
constexpr std::size_t index_of(Split split) {
  return static_cast<std::size_t>(split) - static_cast<std::size_t>(Split::kTrain);
}

// The prefix of its metrics.
constexpr std::string_view to_string(Split split) {
  constexpr std::array<std::string_view, kSplits.size()> kNames = {"train", "valid", "test"};
  return kNames[index_of(split)];
}

}  // namespace runner
