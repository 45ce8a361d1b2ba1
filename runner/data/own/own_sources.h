// Finds a user's own examples: the files that a configuration names, and what was read from them.
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "runner/base/random/split.h"
#include "runner/config/run/run_config.h"
#include "runner/data/datasets/intake_error.h"

namespace runner {

// A user's own example.
struct OwnExample {
  std::string content;  // the text, or the pixels
  std::string label;
  std::size_t file = 0, line = 0;  // of OwnSources::files; line 0: the whole file
};

struct OwnSources {
  std::vector<std::filesystem::path> files;
  std::vector<std::string> names;  // of the files within task.path
  // The range of files of each split, as its first and its end. Without files a split is a share of
  // the first one.
  std::array<std::size_t, 4> ends{};
};

// Finds them, reads none. Throws DataMissing and IntakeError.
OwnSources find_own_texts(const RunConfig& config);
OwnSources find_own_pictures(const RunConfig& config);

}  // namespace runner
