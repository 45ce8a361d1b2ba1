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
  std::array<std::uint64_t, 5> lengths{};  // of sequences, in steps: shortest, quartiles, longest
  double least = 0, most = 0;              // values
  std::vector<std::uint64_t> labels;       // examples per class
  std::vector<std::string> names;          // names of the classes, if the data has them
  std::uint64_t repeated = 0;              // examples equal to an earlier one in this split
  std::uint64_t shared = 0;                // examples equal to one in an earlier split
  std::uint64_t evaluated = 0;             // answers that were recomputed from the example alone
  std::uint64_t made_again = 0;            // examples that were regenerated with equal bytes
};

struct DatasetFacts {
  std::vector<SplitFacts> splits;
  std::vector<std::string> mistakes;  // sentences
};

// Reads all files of the folder. Reports damage as one of the mistakes.
DatasetFacts check_dataset(const std::filesystem::path& folder);

}  // namespace runner
