// Compares text with the files of tests/results/golden and tests/runner/golden. LCSM_NEW_GOLDEN=1
// rewrites them.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>

#include "tests/results/fixture.h"
#include "tests/source_folder.h"

namespace results {

// `part`: "results" or "runner".
inline void expect_golden(const std::string& part, const std::string& name,
                          const std::string& text) {
  const auto folder = source_folder() / "tests" / part / "golden";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "source tree not found: " << folder;
  if (std::getenv("LCSM_NEW_GOLDEN") != nullptr) write_text(folder / name, text);
  EXPECT_EQ(text, read_text(folder / name)) << name;
}

// A script for gnuplot with each block of data on one line.
inline std::string with_short_data(const std::string& script) {
  std::istringstream lines(script);
  std::string out;
  bool data = false;
  for (std::string line; std::getline(lines, line);) {
    data = line.ends_with(" << END") || (data && line != "END");
    out += line + (data ? " | " : "\n");
  }
  return out;
}

}  // namespace results
