// Checks the files of a data set against what they should contain.
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
  std::vector<std::uint64_t> labels;       // examples per class
  std::vector<std::string> names;          // of these classes, if the data names them
  std::uint64_t repeated = 0;              // equal to an earlier example of this split
  std::uint64_t shared = 0;                // equal to one of an earlier split
  std::uint64_t evaluated = 0;             // answers that were found again from the example alone
  std::uint64_t made_again = 0;            // examples that were regenerated, with equal bytes
};

struct DatasetFacts {
  std::vector<SplitFacts> splits;
  std::vector<std::string> mistakes;  // sentences
};

// Reads all files of the folder. Damage is a mistake among others.
DatasetFacts check_dataset(const std::filesystem::path& folder);

}  // namespace runner
