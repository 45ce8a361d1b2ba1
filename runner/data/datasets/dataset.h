// The data sets that `lcsm data make` generates, one row each. An example is a function of (seed,
// split, index) alone.
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
  std::int64_t over = 0, under = 0;         // of expressions: token counts lie strictly between
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

// The name in a recipe, also for data sets that were not generated; "" if the recipe has none.
std::string recipe_name(std::string_view text);

// Generates an example. `again` > 0 redraws it, for data sets of unique examples. Not thread-safe.
using Maker = std::function<NewExample(Split split, std::uint64_t index, std::uint64_t again)>;

struct DatasetRow {
  std::string_view name, help;
  std::array<std::uint64_t, 3> examples;  // by default
  DataShape shape;
  Maker (*maker)(const Recipe& recipe);
  std::int64_t over = 0, under = 0;
  bool unique = false;
  // Recomputes the label or targets from the example, to check a file; null: the example does not
  // determine them.
  bool (*is_right)(const NewExample& example) = nullptr;
  std::int64_t length = 0;  // default number of steps, if a recipe may set it
  std::string (*text)(std::string_view sequence) = nullptr;  // null: a sequence is no text
};

const std::vector<DatasetRow>& dataset_rows();
const DatasetRow* find_dataset(std::string_view name);  // null if there is none
Recipe default_recipe(const DatasetRow& row);
DataShape shape_of(const DatasetRow& row, const Recipe& recipe);

// Accepts only the default data set of this name as generated, or as imported if it is not
// generated. Throws std::invalid_argument.
void require_default_set(std::string_view name, const DataFile& file, const std::string& path);

}  // namespace runner
