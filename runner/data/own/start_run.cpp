#include "runner/data/own/start_run.h"

#include <algorithm>
#include <array>
#include <optional>
#include <stdexcept>

#include "lcsm/base/words.h"
#include "results/events/checkpoints.h"
#include "results/events/event_reader.h"
#include "results/events/run_folder.h"
#include "runner/base/files/json_file.h"
#include "runner/base/files/mapped_file.h"
#include "runner/config/keys/config_keys.h"
#include "runner/config/keys/model_keys.h"
#include "runner/config/keys/run_keys.h"
#include "runner/config/keys/task_keys.h"
#include "runner/config/run/train_state.h"
#include "runner/data/tasks/data_search.h"

namespace fs = std::filesystem;

namespace runner {
namespace {

constexpr std::array<AnyKey, 6> kModel = {"model.family"_key, "model.code"_key,
                                          "model.system"_key, "model.d"_key,
                                          "model.k"_key,      "model.skeleton"_key};

[[noreturn]] void refuse_missing(const std::string& what) {
  throw DataMissing("model.from: expected a finished run, got " + what);
}

nlohmann::ordered_json checkpoint_state(const fs::path& folder, std::int64_t step) {
  results::CheckpointPlace last{-1, -1};
  for (const results::CheckpointPlace& place : results::checkpoints_of(folder))
    if (place.step == step) last = std::max(last, place);
  return read_json_file(folder / results::checkpoint_name(last) / "state.json");
}

// The step of the best checkpoint, and the hash of its weights.
void read_best(const fs::path& folder, StartRun* run) try {
  const auto newest = checkpoint_state(folder, results::newest_checkpoint(folder));
  const TrainState state = train_state(newest.at("state").dump());
  run->step = state.best ? state.best->step : state.step;
  run->sha256 = checkpoint_state(folder, run->step).at("sha256").at("model.safetensors");
} catch (const std::exception&) {
  refuse_missing("run " + run->id + " without its best checkpoint");
}

std::string value_of(const RunConfig& config, AnyKey key) {
  const Setting& setting = config.at(key);
  return setting.used ? value_text(setting.value) : "none";
}

// Words and characters are numbered by the texts of their task.
bool same_tokens(const RunConfig& from, const RunConfig& config) {
  if (from.task().inputs != config.task().inputs) return false;
  if (value_of(from, "task.merges"_key) != value_of(config, "task.merges"_key)) return false;
  const bool named = from.at("task.tokens"_key).used && config.at("task.tokens"_key).used;
  if (named && value_of(from, "task.tokens"_key) != value_of(config, "task.tokens"_key))
    return false;
  if (named && lcsm::has_word("bytes gpt2", from.text("task.tokens"_key))) return true;
  return from.text("task.name"_key) == config.text("task.name"_key) &&
         value_of(from, "task.content"_key) == value_of(config, "task.content"_key);
}

}  // namespace

std::string why_unlike(const RunConfig& from, const RunConfig& config) {
  for (const AnyKey key : kModel)
    if (value_of(from, key) != value_of(config, key))
      return key_name(key) + " is " + value_of(from, key) + " there and " + value_of(config, key) +
             " here";
  if (same_tokens(from, config)) return "";
  return "its tokens are numbered otherwise: expected both to have bytes or both to have gpt2 as "
         "task.tokens, or the same data";
}

const StartRun& StartRuns::read(const std::string& id) {
  if (const auto known = known_.find(id); known != known_.end()) return known->second;
  const fs::path folder = results::run_folder(workspace_, id);
  StartRun run{id, "", 0, nullptr};
  read_best(folder, &run);
  const fs::path file = folder / results::kConfigFile;
  run.config = std::make_shared<RunConfig>(parse_config(
      MappedFile(file.string()).bytes(), file.string(), {}, [](const std::string&) {}));
  return known_[id] = run;
}

std::string StartRuns::named(const std::string& digits) const {
  std::vector<std::string> found;
  for (const std::string& id : results::run_ids(workspace_))
    if (id.starts_with(digits)) found.push_back(id);
  if (found.size() > 1)
    throw std::invalid_argument("model.from: expected one run, but " + lcsm::joined(found) +
                                " begin with '" + digits + "': give more digits");
  if (found.empty()) return "";
  if (!results::is_done(results::run_folder(workspace_, found[0])))
    refuse_missing("run " + found[0] + ", which is not done");
  return found[0];
}

const std::vector<std::string>& StartRuns::done_of(const std::string& sweep) {
  if (const auto known = done_of_.find(sweep); known != done_of_.end()) return known->second;
  std::vector<std::string> done;
  for (const std::string& id : results::run_ids(workspace_)) {
    const fs::path folder = results::run_folder(workspace_, id);
    const std::vector<results::SweepMark> marks = results::read_marks(folder);
    const auto is_it = [&](const results::SweepMark& mark) { return mark.sweep == sweep; };
    if (std::any_of(marks.begin(), marks.end(), is_it) && results::is_done(folder))
      done.push_back(id);
  }
  return done_of_[sweep] = done;
}

// The run with this model and this seed, else with the lowest seed. `from`: a sweep or its file.
std::string StartRuns::of_sweep(const std::string& from, const RunConfig& config) {
  const std::string sweep = from.ends_with(".toml") ? fs::path(from).stem().string() : from;
  if (!results::is_sweep_name(sweep)) refuse_missing("none that '" + from + "' names");
  std::map<std::int64_t, std::vector<std::string>> by_seed;
  for (const std::string& id : done_of(sweep)) {
    const RunConfig& other = *read(id).config;
    const bool same_depth = other.integer("model.layers"_key) == config.integer("model.layers"_key);
    if (same_depth && why_unlike(other, config).empty())
      by_seed[other.integer("seed"_key)].push_back(id);
  }
  const std::string model =
      config.named().empty() ? config.text("model.family"_key) : config.named();
  if (by_seed.empty())
    refuse_missing("none of the sweep '" + sweep + "' with " + model +
                   " of this size: run `lcsm run " + from + "` first");
  const auto same_seed = by_seed.find(config.integer("seed"_key));
  const auto& [seed, found] = same_seed != by_seed.end() ? *same_seed : *by_seed.begin();
  for (const std::string& id : found)
    if (read(id).sha256 != read(found[0]).sha256)
      throw std::invalid_argument("model.from: expected one finished run of the sweep '" + sweep +
                                  "' with " + model + " and seed " + std::to_string(seed) +
                                  ", got " + lcsm::joined(found) +
                                  ": name one by its first digits, or move the others away with "
                                  "`lcsm archive`");
  return found[0];
}

std::optional<StartRun> StartRuns::find(const RunConfig& config) {
  const std::string &from = config.text("model.from"_key),
                    &pinned = config.text("model.from_content"_key);
  if (from.empty()) return {};
  if (!pinned.empty() && !fs::exists(results::run_folder(workspace_, from))) return {};
  const bool digits = from.find_first_not_of("0123456789abcdef") == std::string::npos;
  std::string id = digits ? named(from) : "";
  if (id.empty()) id = of_sweep(from, config);
  const StartRun& run = read(id);
  if (const std::string why = why_unlike(*run.config, config); !why.empty())
    throw std::invalid_argument("model.from: the weights of run " + id + " do not fit: " + why);
  if (!pinned.empty() && pinned != run.sha256)
    throw std::invalid_argument("model.from: run " + id +
                                " has other weights than those that this run is configured for");
  return run;
}

void StartRuns::pin(RunConfig& config) {
  if (const std::optional<StartRun> run = find(config)) config.set_start(run->id, run->sha256);
}

}  // namespace runner
