#include "runner/data/own/own_data.h"

#include <fstream>
#include <map>
#include <stdexcept>

#include "runner/base/files/content_hash.h"
#include "runner/base/files/json_file.h"
#include "runner/base/files/sha256.h"
#include "runner/config/keys/config_keys.h"
#include "runner/config/keys/model_keys.h"
#include "runner/config/keys/task_keys.h"
#include "runner/config/keys/task_row.h"
#include "runner/data/datasets/data_file_writer.h"
#include "runner/data/own/own_examples.h"
#include "runner/data/own/own_vocabulary.h"
#include "runner/data/tasks/data_search.h"
#include "runner/data/tasks/set_task.h"
#include "runner/data/tasks/task.h"

namespace fs = std::filesystem;

namespace runner {
namespace {

bool has_texts(const RunConfig& config) { return config.task().inputs == "tokens"; }

// The version of how a picture is read, as part of its data's hash. Version 1 read PNG files of 16
// bits without gAMA as linear light, and computed the gray of colors in linear light.
std::string reading_of(const RunConfig& config, const std::string& path) {
  constexpr std::size_t kBitDepth = 24, kColourType = 25;  // places in the file
  std::ifstream file(path, std::ios::binary);
  std::string head(kColourType + 1, '\0');
  file.read(head.data(), std::ssize(head));
  if (!head.starts_with("\x89PNG")) return "";
  const bool deep = head[kBitDepth] == 16;
  const bool coloured = (head[kColourType] & 2) != 0;
  const int corrected = deep + (coloured && config.is("task.colours"_key, "grey"));
  return corrected == 0 ? "" : " v" + std::to_string(1 + corrected);
}

// Hashes which files there are, their names and their contents.
std::string content_of_sources(const RunConfig& config, const OwnSources& sources,
                               const fs::path& workspace) {
  Sha256 all;
  for (std::size_t i = 0; i < sources.files.size(); ++i) {
    const std::string path = sources.files[i].string();
    // An entry in the cache for each picture would cost more than its hash.
    const std::string line =
        sources.names[i] + " " +
        (has_texts(config) ? content_hash(path, token_cache(workspace).string())
                           : file_sha256(path) + reading_of(config, path)) +
        "\n";
    all.add(line.data(), line.size());
  }
  return all.hex();
}

struct Prepared {
  DataShape shape;
  std::array<std::vector<NewExample>, 3> examples;
  nlohmann::ordered_json recipe;
};

Prepared prepared(const RunConfig& config, const OwnSources& sources) {
  const OwnExamples own =
      has_texts(config) ? read_own_texts(config, sources) : read_own_pictures(config, sources);
  const std::vector<std::string> labels = labels_of(own, sources);
  std::map<std::string_view, std::uint32_t> numbers;
  for (std::uint32_t i = 0; i < labels.size(); ++i) numbers[labels[i]] = i;
  std::vector<std::string_view> train;
  for (const OwnExample& example : own.splits[0]) train.push_back(example.content);
  const OwnVocabulary vocabulary(has_texts(config) ? config.text("task.tokens"_key) : "bytes",
                                 train, has_texts(config) ? config.integer("task.rarest"_key) : 1);
  Prepared all;
  all.shape = {.element = vocabulary.element(),
               .channels = own.channels,
               .vocabulary = vocabulary.size(),
               .classes = static_cast<std::uint32_t>(labels.size()),
               .length = own.rows * own.columns,
               .rows = own.rows,
               .columns = own.columns};
  for (const Split split : kSplits)
    for (const OwnExample& example : own.splits[index_of(split)]) {
      std::string tokens = vocabulary.encoded(example.content);
      if (tokens.empty())
        throw IntakeError(place_of(sources, example) + ": expected words, got blanks alone");
      all.examples[index_of(split)].push_back({{std::move(tokens)}, numbers.at(example.label), {}});
    }
  all.recipe = {{"name", config.task().name},
                {"from", fs::path(config.text("task.path"_key)).filename().string()},
                {"contents", config.text("task.content"_key)},
                {"tokens", has_texts(config) ? config.text("task.tokens"_key) : ""},
                {"labels", labels},
                {"vocabulary", vocabulary.names()}};
  return all;
}

void write(const Prepared& all, const fs::path& folder) {
  lcsm::create_folder(folder);
  for (const Split split : kSplits) {
    nlohmann::ordered_json recipe = all.recipe;
    recipe["split"] = to_string(split);
    write_examples(split_file(folder, split), all.shape, json_line(recipe),
                   all.examples[index_of(split)]);
  }
}

// The folder with the prepared data.
fs::path prepare(const RunConfig& config, const OwnSources& sources, const fs::path& workspace) {
  try {
    return set_files(config, workspace).front().file.parent_path();
  } catch (const DataMissing&) {
  }
  const fs::path folder = workspace / "data" / own_set_name(config);
  write(prepared(config, sources), folder);
  return folder;
}

void set_classes(RunConfig& config, const DataFile& train) {
  const std::int64_t found = train.shape().classes, wanted = config.integer("task.classes"_key);
  if (wanted != 0 && wanted != found)
    throw std::invalid_argument("task.classes: expected " + std::to_string(wanted) +
                                ", but the data has " + std::to_string(found) + " labels");
  config.set_classes(found);
  const std::int64_t side = config.at("task.patch"_key).used ? config.integer("task.patch"_key) : 1,
                     steps = train.shape().length / (side * side);
  if (steps > config.integer("task.length"_key))
    throw std::invalid_argument("task.length: expected at least " + std::to_string(steps) +
                                ", the pixels or patches of a picture, got " +
                                std::to_string(config.integer("task.length"_key)));
}

// Reads data files whose hash is not cached, since opening one checks only its index.
void verify(const RunConfig& config, const fs::path& workspace) try {
  if (config.task().reader == "text") return;
  const std::vector<FilePart> files = task_of(config).files(config, workspace);
  std::error_code none;
  if (!files.empty() && fs::is_directory(workspace, none))
    fs::create_directories(token_cache(workspace), none);
  for (const FilePart& part : files)
    content_hash(part.file.string(), token_cache(workspace).string(), std::time(nullptr),
                 [](const std::string& path) { DataFile(path).verify(); });
} catch (const DataFileError& error) {
  throw DataMissing(error.what());
}

void pin_task(RunConfig& config, const fs::path& workspace) {
  if (!is_own_set(config)) {
    verify(config, workspace);
    return pin_content(config, workspace);
  }
  const OwnSources sources = has_texts(config) ? find_own_texts(config) : find_own_pictures(config);
  set_found_content(config, content_of_sources(config, sources, workspace));
  const fs::path folder = prepare(config, sources, workspace);
  verify(config, workspace);
  set_classes(config, DataFile(split_file(folder, Split::kTrain).string()));
}

}  // namespace

void pin_data(RunConfig& config, const fs::path& workspace) {
  pin_task(config, workspace);
  StartRuns(workspace).pin(config);
}

std::string task_text(const RunConfig& config) {
  std::string text;
  for (std::size_t i = 0; i < kConfigKeys.size(); ++i)
    if (const Setting& setting = config.at(static_cast<int>(i));
        setting.used && kConfigKeys[i].name.starts_with("task."))
      text += value_text(setting.value) + "\n";
  return text;
}

void DataPins::pin(RunConfig& config) {
  pin_task(config);
  if (workspace_.empty() && !config.text("model.from"_key).empty())
    throw std::logic_error("DataPins: no workspace is set");
  starts_.pin(config);
}

void DataPins::pin_task(RunConfig& config) {
  if (!config.needs_content()) return;
  const std::string task = task_text(config);
  const auto found = known_.find(task);
  if (found == known_.end()) {
    if (workspace_.empty()) throw std::logic_error("DataPins: no workspace is set");
    runner::pin_task(config, workspace_);
    known_[task] = {config.text("task.content"_key), config.integer("task.classes"_key)};
    return;
  }
  if (config.text("task.content"_key).empty()) config.set_content(found->second.content);
  if (found->second.classes > 0) config.set_classes(found->second.classes);
}

}  // namespace runner
