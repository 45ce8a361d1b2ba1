#include "runner/data/tasks/set_task.h"

#include <algorithm>
#include <cctype>
#include <stdexcept>
#include <system_error>

#include "lcsm/base/words.h"
#include "runner/base/files/sha256.h"
#include "runner/config/keys/config_keys.h"
#include "runner/config/keys/task_keys.h"
#include "runner/config/keys/task_rows.h"
#include "runner/data/tokens/gpt2_bpe.h"
#include "runner/data/tokens/tokenizer.h"

namespace fs = std::filesystem;

namespace runner {
namespace {

// The keys that decide how a user's data is read.
constexpr std::array<AnyKey, 10> kReading = {
    "task.name"_key,   "task.content"_key,     "task.text"_key, "task.label"_key,
    "task.split"_key,  "task.valid_share"_key, "task.seed"_key, "task.test_share"_key,
    "task.tokens"_key, "task.rarest"_key};

std::string name_of(const RunConfig& config) {
  if (is_own_set(config)) return own_set_name(config);
  const std::string& named = config.text("task.data"_key);
  return named.empty() ? std::string(config.task().name) : named;
}

// The folder of a user's data, found by its hash: its name depends on the path, which the database
// does not have.
std::string found_name(const RunConfig& config, const fs::path& workspace) {
  const std::string name = own_set_name(config), ending = name.substr(name.rfind('-'));
  for (const fs::path& data : data_folders(workspace)) {
    std::error_code none;
    for (const fs::directory_entry& entry : fs::directory_iterator(data, none))
      if (entry.path().filename().string().ends_with(ending)) return entry.path().filename();
  }
  return name;
}

bool has_all(const fs::path& folder) {
  for (const Split split : kSplits) {
    std::error_code none;
    if (!fs::is_regular_file(split_file(folder, split), none)) return false;
  }
  return true;
}

const std::string kMakes = "lcsm data make ";

// The command that installs the data set `name`.
std::string command_for(const RunConfig& config, const std::string& name) {
  if (lcsm::has_word(kGeneratedSets, name)) return kMakes + name;
  const std::string stored(stored_name(config.task()));
  const bool makes = is_own_set(config) || lcsm::has_word(kGeneratedSets, stored);
  std::string command = makes ? kMakes + stored : "lcsm data get " + stored + " --from DIR";
  if (name != config.task().name && name != stored) command += " --as " + name;
  if (!config.text("task.data_options"_key).empty())
    command += " " + config.text("task.data_options"_key);
  return command;
}

}  // namespace

bool reads_set(const RunConfig& config) { return config.task().reader == "set"; }

const SetFacts& set_facts(const RunConfig& config) {
  if (!reads_set(config)) throw std::logic_error(std::string(config.task().name) + " reads no set");
  return config.task().set;
}

bool is_own_set(const RunConfig& config) { return config.at("task.classes"_key).used; }

bool is_tokenized(const RunConfig& config) {
  return reads_set(config) && !is_own_set(config) && config.at("task.tokens"_key).used;
}

std::string own_set_name(const RunConfig& config) {
  std::string name;
  for (const char c : fs::path(config.text("task.path"_key)).stem().string())
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_') name += c;
  std::string reading;
  for (const AnyKey key : kReading)
    if (const Setting& setting = config.at(key); setting.used)
      reading += key_name(key) + "=" + value_text(setting.value) + "\n";
  if (config.picture_channels() > 1) reading += "in colour\n";
  return (name.empty() ? "own" : name) + "-" + sha256_hex(reading).substr(0, 8);
}

double bytes_of_step(const RunConfig& config) {
  constexpr double kBytesOfToken = 5;
  const bool words =
      is_tokenized(config) && lcsm::has_word("words gpt2", config.text("task.tokens"_key));
  return words ? kBytesOfToken : 1;
}

double expected_length(const RunConfig& config) {
  const auto T = static_cast<double>(config.integer("task.length"_key));
  const double steps = set_facts(config).steps;
  if (steps == 0 || !config.text("task.data_options"_key).empty()) return T;
  return std::min(T, steps / bytes_of_step(config));
}

TaskCount set_vocabulary(const RunConfig& config) {
  if (!is_tokenized(config)) return {set_facts(config).vocabulary, true};
  if (config.is("task.tokens"_key, "bytes")) return {kByteTokens, true};
  if (config.is("task.tokens"_key, "gpt2")) return {kFairseqSize, true};
  return {set_facts(config).vocabulary, false};
}

TaskCount set_examples(const RunConfig& config, Split split) {
  return {set_facts(config).examples[index_of(split)], config.text("task.data"_key).empty()};
}

std::int64_t set_scored(const RunConfig& config) { return set_facts(config).scored; }

std::vector<FilePart> set_files(const RunConfig& config, const fs::path& workspace) {
  const bool unnamed = is_own_set(config) && config.text("task.path"_key).empty();
  return named_set_files(config, unnamed ? found_name(config, workspace) : name_of(config),
                         workspace);
}

std::vector<FilePart> named_set_files(const RunConfig& config, const std::string& name,
                                      const fs::path& workspace) {
  std::string places;
  for (const fs::path& data : data_folders(workspace)) {
    const fs::path folder = data / name;
    if (has_all(folder)) {
      std::vector<FilePart> files;
      for (const Split split : kSplits) files.push_back(whole_text(split_file(folder, split)));
      return files;
    }
    places += (places.empty() ? "'" : ", '") + folder.string() + "'";
  }
  const std::string command = command_for(config, name);
  std::set<std::string> makes;
  if (command.starts_with(kMakes) && !is_own_set(config)) makes.insert(command);
  throw DataMissing(name + " needs train.set, valid.set and test.set, got none in " + places +
                        ": get them with `" + command + "`" +
                        (makes.empty() ? "" : ", as `lcsm run` does"),
                    makes);
}

std::string stated_command(const RunConfig& config, const fs::path& workspace) {
  if (config.text("task.data_options"_key).empty()) return "";
  const std::string name = name_of(config), command = command_for(config, name);
  return command.starts_with(kMakes) && has_all(workspace / "data" / name) ? command : "";
}

void require_set(const RunConfig& config, const fs::path& workspace) {
  set_files(config, workspace);
  if (is_tokenized(config) && config.is("task.tokens"_key, "gpt2")) find_gpt2_files(workspace);
}

}  // namespace runner
