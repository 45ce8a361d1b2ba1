// Generates a data set into its folder: pieces on several threads, then one file per split.
// Interrupted at any point, it resumes with the next call and gives equal files.
#pragma once

#include <filesystem>
#include <functional>

#include "runner/data/datasets/dataset.h"

namespace runner {

struct Making {
  Recipe recipe;
  std::filesystem::path folder;
  int threads = 1;
  std::function<void(std::uint64_t done, std::uint64_t examples)> progress;  // called on any thread
  std::function<bool()> stop;                                                // asked by any thread
};

enum class Made { kMade, kWasThere, kStopped };

// Throws std::invalid_argument for an impossible recipe or a folder with another data set,
// std::runtime_error if another process is generating it, and lcsm::WriteError.
Made make_dataset(const Making& making);

// True if the folder has pieces of an unfinished data set.
bool is_unfinished(const std::filesystem::path& folder);

}  // namespace runner
