#include "runner/data/own/own_examples.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "lcsm/base/safe_text.h"
#include "results/text/number_text.h"
#include "runner/base/files/mapped_file.h"
#include "runner/config/keys/config_keys.h"
#include "runner/config/keys/task_keys.h"
#include "runner/data/datasets/picture.h"
#include "runner/data/own/table_file.h"
#include "runner/data/tasks/example_order.h"

namespace fs = std::filesystem;

namespace runner {
namespace {

constexpr std::size_t kMostLabels = 10000;
constexpr std::size_t kMostExamples = 0xffffffff;  // an epoch's order has 32-bit numbers
constexpr std::uint64_t kMostPixels = 1 << 20;     // the longest task.length

using Splits = std::array<std::vector<OwnExample>, 3>;

// Moves a share of the training examples, drawn by the seed, into another split; the others keep
// their order.
void take_share(const RunConfig& config, RealKey key, Split into, Splits* splits) {
  std::vector<OwnExample>& train = (*splits)[0];
  const auto count =
      static_cast<std::size_t>(std::lround(config.real(key) * static_cast<double>(train.size())));
  const std::string name = key_name(key);
  if (count == 0 || count >= train.size())
    throw IntakeError(name + ": expected a share that leaves examples for both, got " +
                      std::to_string(count) + " of " + std::to_string(train.size()) +
                      ": change it, or provide separate files for " + std::string(to_string(into)));
  const std::vector<std::uint32_t> order =
      example_order(true, static_cast<std::uint32_t>(train.size()),
                    static_cast<std::uint64_t>(config.integer("task.seed"_key)), index_of(into));
  std::vector<bool> taken(train.size());
  for (std::size_t i = 0; i < count; ++i) taken[order[i]] = true;
  std::vector<OwnExample> rest;
  for (std::size_t i = 0; i < train.size(); ++i)
    (taken[i] ? (*splits)[index_of(into)] : rest).push_back(std::move(train[i]));
  train = std::move(rest);
}

// Splits without files of their own.
void take_shares(const RunConfig& config, Splits* splits) {
  if ((*splits)[0].size() > kMostExamples)
    throw IntakeError("expected fewer than 2^32 examples, got " +
                      std::to_string((*splits)[0].size()));
  if ((*splits)[2].empty()) take_share(config, "task.test_share"_key, Split::kTest, splits);
  if ((*splits)[1].empty()) take_share(config, "task.valid_share"_key, Split::kValid, splits);
}

Split split_named(const fs::path& path, std::size_t line, const std::string& name) {
  for (const Split split : kSplits)
    if (name == to_string(split)) return split;
  refuse_line(path, line, "train, valid or test in the column of task.split", "'" + name + "'");
}

// Text, label and, with task.split, the name of the split.
void add_table(const RunConfig& config, const OwnSources& sources, std::size_t file, Split split,
               Splits* splits) {
  const fs::path& path = sources.files[file];
  std::vector<TableColumn> columns = {{config.text("task.text"_key), "task.text"},
                                      {config.text("task.label"_key), "task.label"}};
  const bool named = !config.text("task.split"_key).empty();
  if (named) columns.push_back({config.text("task.split"_key), "task.split"});
  const MappedFile mapped(path.string());
  std::vector<TableRow> rows = read_table(path, mapped.bytes(), columns);
  if (rows.empty()) refuse_line(path, 2, "examples", "none");
  for (TableRow& row : rows) {
    if (row.fields[0].empty()) refuse_line(path, row.line, "a text", "an empty one");
    if (row.fields[1].empty()) refuse_line(path, row.line, "a label", "an empty one");
    if (named) split = split_named(path, row.line, row.fields[2]);
    (*splits)[index_of(split)].push_back(
        {std::move(row.fields[0]), std::move(row.fields[1]), file, row.line});
  }
}

void require_named_splits(const RunConfig& config, const fs::path& path, const Splits& splits) {
  for (const Split split : kSplits)
    if (splits[index_of(split)].empty())
      throw IntakeError("'" + path.string() + "': expected rows of " +
                        std::string(to_string(split)) + " in the column '" +
                        config.text("task.split"_key) + "', got none");
}

OwnExample picture_of(const OwnSources& sources, std::size_t file, Colours colours,
                      OwnExamples* all) {
  const fs::path& path = sources.files[file];
  try {
    const MappedFile mapped(path.string());
    Picture picture = read_picture(mapped.bytes(), kMostPixels, colours);
    if (all->rows == 0) all->rows = picture.rows, all->columns = picture.columns;
    if (picture.rows != all->rows || picture.columns != all->columns)
      throw IntakeError(std::to_string(picture.rows) + " x " + std::to_string(picture.columns) +
                        " pixels");
    return {std::move(picture.pixels), path.parent_path().filename().string(), file, 0};
  } catch (const std::runtime_error& error) {
    const std::string size = all->rows == 0
                                 ? "a picture of at most 2^20 pixels"
                                 : "a picture of " + std::to_string(all->rows) + " x " +
                                       std::to_string(all->columns) + " pixels, as the first";
    throw IntakeError("'" + path.string() + "': expected " + size + ", got " + error.what());
  }
}

bool is_whole(const std::string& text) { return results::whole_number_in(text).has_value(); }

}  // namespace

std::string place_of(const OwnSources& sources, const OwnExample& example) {
  return "'" + sources.files[example.file].string() + "'" +
         (example.line > 0 ? ":" + std::to_string(example.line) : "");
}

OwnExamples read_own_texts(const RunConfig& config, const OwnSources& sources) {
  OwnExamples all;
  for (const Split split : kSplits)
    for (std::size_t i = sources.ends[index_of(split)]; i < sources.ends[index_of(split) + 1]; ++i)
      add_table(config, sources, i, split, &all.splits);
  if (!config.text("task.split"_key).empty())
    require_named_splits(config, sources.files.front(), all.splits);
  take_shares(config, &all.splits);
  return all;
}

OwnExamples read_own_pictures(const RunConfig& config, const OwnSources& sources) {
  OwnExamples all;
  all.channels = static_cast<std::uint32_t>(config.picture_channels());
  for (const Split split : kSplits)
    for (std::size_t i = sources.ends[index_of(split)]; i < sources.ends[index_of(split) + 1]; ++i)
      all.splits[index_of(split)].push_back(
          picture_of(sources, i, static_cast<Colours>(all.channels), &all));
  take_shares(config, &all.splits);
  return all;
}

std::vector<std::string> labels_of(const OwnExamples& examples, const OwnSources& sources) {
  std::set<std::string> found;
  for (const OwnExample& example : examples.splits[0]) {
    found.insert(example.label);
    if (found.size() > kMostLabels)
      throw IntakeError(place_of(sources, example) + ": expected at most " +
                        std::to_string(kMostLabels) +
                        " different labels, got more: is task.label the column of the labels?");
  }
  if (found.size() < 2)
    throw IntakeError(place_of(sources, examples.splits[0].front()) +
                      ": expected at least two different labels to train on, got one: '" +
                      lcsm::safe_text(*found.begin()) + "'");
  for (const Split split : {Split::kValid, Split::kTest})
    for (const OwnExample& example : examples.splits[index_of(split)])
      if (!found.contains(example.label))
        throw IntakeError(place_of(sources, example) + ": expected a label of " +
                          std::string(to_string(Split::kTrain)) + ", got '" +
                          lcsm::safe_text(example.label) + "', which is only in " +
                          std::string(to_string(split)));
  std::vector<std::string> labels(found.begin(), found.end());
  if (std::all_of(labels.begin(), labels.end(), is_whole))
    std::stable_sort(labels.begin(), labels.end(),
                     [](const auto& a, const auto& b) { return std::stoll(a) < std::stoll(b); });
  return labels;
}

}  // namespace runner
