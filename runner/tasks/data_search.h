// Where the data of a run lies on this machine.
#pragma once

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "runner/config/run_config.h"

namespace runner {

// Which file is needed, how large, where it was looked for, where it comes from.
struct DataMissing : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A file, or a part of it: bytes begin .. end-1.
struct TextPart {
  std::filesystem::path file;
  std::uint64_t begin = 0, end = 0;
};

struct TextParts {
  TextPart train, valid, test;
};

// Folders that hold a folder for each data set: data/ of the workspace, then LCSM_DATA.
std::vector<std::filesystem::path> data_folders();

// The texts of a task. With task.path only there: the file, the set's folder, or a folder above.
TextParts find_texts(const RunConfig& config);

struct Gpt2Files {
  std::filesystem::path merges, dictionary;
};
Gpt2Files find_gpt2_files();

}  // namespace runner
