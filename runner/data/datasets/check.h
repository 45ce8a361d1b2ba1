// What is in the files of a data set, and whether it is what it should be.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "runner/data/datasets/dataset.h"

namespace runner {

struct SplitFacts {
  Split split = Split::kTrain;
  std::uint64_t examples = 0;
  std::array<std::uint64_t, 5> lengths{};  // shortest, quartiles, longest; of sequences, in steps
  double least = 0, most = 0;              // values
  std::vector<std::uint64_t> labels;       // how many of each class
  std::vector<std::string> names;          // of these classes, where the data says them
  std::uint64_t repeated = 0;              // equal to an earlier example of this split
  std::uint64_t shared = 0;                // equal to one of an earlier split
  std::uint64_t evaluated = 0;             // answers that were found again from the example alone
  std::uint64_t made_again = 0;            // examples that were made again, with the same bytes
};

struct DatasetFacts {
  std::vector<SplitFacts> splits;
  std::vector<std::string> mistakes;  // sentences
};

// Reads all files of the folder. Damage is a mistake among others.
DatasetFacts check_dataset(const std::filesystem::path& folder);

}  // namespace runner
