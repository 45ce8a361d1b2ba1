// Which data sets are in the folders of data, and how complete they are.
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <vector>

namespace runner {

struct FoundDataset {
  std::string name;
  std::string state;  // "ready", "unfinished", "damaged"; "" = not there
  std::filesystem::path folder;
  std::uintmax_t bytes = 0;
  std::string made_of;      // the name of its row in dataset.h or intake.h; "" = of none
  std::string own_of = "";  // of a user's own data: the name of the file or folder
};

FoundDataset look_at_dataset(const std::filesystem::path& folder);

// The texts of a row that is taken, by split, in the first folder of data that has them all; their
// files are empty where none has.
struct FoundTexts {
  std::filesystem::path folder;
  std::array<std::filesystem::path, 3> files;
  bool any = false;  // some are there
};
struct IntakeRow;
FoundTexts find_row_texts(const IntakeRow& row, const std::filesystem::path& workspace);

// Those that can be made or taken, there or not, then others that are there.
std::vector<FoundDataset> all_datasets(const std::filesystem::path& workspace);

}  // namespace runner
