// The data sets that `lcsm data make` generates, one row each. An example is a function of (seed,
// split, index) and of nothing else.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "runner/base/random/split.h"
#include "runner/data/datasets/data_file_writer.h"

namespace runner {

// The inputs of a generated data set; stored in its files as one line of JSON.
struct Recipe {
  std::string name;           // of the row
  std::uint64_t version = 1;  // of its generator: other versions draw other examples
  std::uint64_t seed = 1;
  std::array<std::uint64_t, 3> examples{};  // by split
  std::int64_t over = 0, under = 0;         // of expressions: more and fewer tokens than these
  std::int64_t length = 0;                  // of waveforms: samples
  bool operator==(const Recipe&) const = default;
};

// Examples first .. first+count-1 of a split.
struct Piece {
  Split split = Split::kTrain;
  std::uint64_t first = 0, count = 0;
};

std::string recipe_text(const Recipe& recipe, const Piece& piece);

// The recipe stored in a file; nullopt if its text is not a recipe.
struct FileRecipe {
  Recipe recipe;
  Piece piece;
};
std::optional<FileRecipe> read_recipe(std::string_view text);

// The name in a recipe, also of a data set that was not generated; "" if it has none.
std::string recipe_name(std::string_view text);

// Generates an example. `again` > 0 gives the next one that differs from what (split, index) gave
// before, for data sets of unique examples. Not thread-safe.
using Maker = std::function<NewExample(Split split, std::uint64_t index, std::uint64_t again)>;

struct DatasetRow {
  std::string_view name, help;
  std::array<std::uint64_t, 3> examples;  // by default
  DataShape shape;
  Maker (*maker)(const Recipe& recipe);
  std::int64_t over = 0, under = 0;
  bool unique = false;
  // Recomputes the label or targets from the example, to check a file; null: they do not follow
  // from it.
  bool (*is_right)(const NewExample& example) = nullptr;
  std::int64_t length = 0;  // steps by default, if a recipe may have another number of them
};

const std::vector<DatasetRow>& dataset_rows();
const DatasetRow* find_dataset(std::string_view name);  // null if there is none
Recipe default_recipe(const DatasetRow& row);
DataShape shape_of(const DatasetRow& row, const Recipe& recipe);

}  // namespace runner
