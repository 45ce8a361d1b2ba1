// Finds the data of a run on this host.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "runner/base/process/exit_code.h"
#include "runner/base/random/split.h"
#include "runner/config/run/run_config.h"

namespace runner {

// Names the missing file, its size, the folders searched, and where to get it.
struct DataMissing : Failure {
  explicit DataMissing(const std::string& message, std::set<std::string> commands = {})
      : Failure(ExitCode::kMissing, message), makes(std::move(commands)) {}

  // The commands `lcsm data make ...` that generate missing data. Other data may be missing, too.
  std::set<std::string> makes;
};

// A file, or a part of it: bytes begin .. end-1.
struct FilePart {
  std::filesystem::path file;
  std::uint64_t begin = 0, end = 0;
};

using TextParts = std::array<FilePart, 3>;  // by split

FilePart whole_text(const std::filesystem::path& file);
// Cuts a text into 90, 5 and 5 percent of its bytes, each part up to the end of a line.
TextParts cut_text(const std::filesystem::path& file);

// A split's file in the folder of a data set.
std::filesystem::path split_file(const std::filesystem::path& folder, Split split);

// Folders that hold a folder for each data set: data/ of the workspace, then LCSM_DATA.
std::vector<std::filesystem::path> data_folders(const std::filesystem::path& workspace);

// The cache of token files, data/tokens of the workspace. It can be rebuilt.
std::filesystem::path token_cache(const std::filesystem::path& workspace);

// The row of a task's texts.
struct TextSource;
const TextSource& text_row(const RunConfig& config);

// The texts of a task, none empty. With task.path, only the texts at this path: the file, the set's
// folder, or its parent. Throws DataMissing.
TextParts find_texts(const RunConfig& config, const std::filesystem::path& workspace);

struct Gpt2Files {
  std::filesystem::path merges, dictionary;
};
Gpt2Files find_gpt2_files(const std::filesystem::path& workspace);

// The SHA-256 of the file and the part's range in it; cached in the workspace.
std::string content_of(const FilePart& part, const std::filesystem::path& workspace);

}  // namespace runner
