// Finds a user's own examples: the files that a configuration names, and their contents.
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
  std::size_t file = 0, line = 0;  // file: index into OwnSources::files; line 0: the whole file
};

struct OwnSources {
  std::vector<std::filesystem::path> files;
  std::vector<std::string> names;  // of the files within task.path
  // Split i has the files ends[i] .. ends[i + 1] - 1. A split without files takes a share of the
  // first one.
  std::array<std::size_t, 4> ends{};
};

// Finds the files without reading them. Throws DataMissing and IntakeError.
OwnSources find_own_texts(const RunConfig& config);
OwnSources find_own_pictures(const RunConfig& config);

}  // namespace runner
