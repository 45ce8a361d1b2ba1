// Lists the data sets in the data folders and their states.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "runner/data/tasks/data_search.h"

namespace runner {

struct FoundDataset {
  std::string name;
  std::string state;  // "ready", "unfinished", "damaged"; "" = not there
  std::filesystem::path folder;
  std::uintmax_t bytes = 0;
  std::string made_of;      // the name of its row in dataset.h or intake.h; "" = no row
  std::string own_of = "";  // of a user's own data: the name of the file or folder
};

FoundDataset look_at_dataset(const std::filesystem::path& folder);

// The texts of an imported data set, by split, in the first data folder that has all of them; if
// none has, the file paths are empty. A single file is cut as the task cuts it.
struct FoundTexts {
  std::filesystem::path folder;
  TextParts parts;
  bool any = false;  // some texts exist
};
struct IntakeRow;
FoundTexts find_row_texts(const IntakeRow& row, const std::filesystem::path& workspace);

// Data sets that can be generated or imported, installed or not, then others that are installed.
std::vector<FoundDataset> all_datasets(const std::filesystem::path& workspace);

}  // namespace runner
