#include "runner/train/trainer/evaluation.h"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "lcsm/base/words.h"
#include "results/events/run_folder.h"
#include "runner/base/process/stderr_text.h"
#include "runner/config/keys/config_keys.h"
#include "runner/config/keys/roles.h"
#include "runner/config/keys/task_keys.h"
#include "runner/config/keys/task_rows.h"
#include "runner/config/toml/config_mistakes.h"
#include "runner/data/datasets/data_file.h"
#include "runner/data/datasets/own_names.h"
#include "runner/data/tasks/set_task.h"
#include "runner/train/loss/score.h"
#include "runner/train/trainer/environment.h"
#include "runner/train/trainer/stored_config.h"
#include "runner/train/trainer/trained_model.h"

namespace runner {
namespace {

namespace fs = std::filesystem;

std::string key_of(const std::string& setting) { return setting.substr(0, setting.find('=')); }

bool is_of_the_task(const std::string& key) { return key.starts_with("task."); }

// No tensor depends on these.
constexpr std::string_view kOthers =
    "eval.batch eval.examples eval.beam eval.length_penalty run.threads";

void check_keys(const std::vector<std::string>& settings) {
  for (const std::string& setting : settings) {
    const std::string key = key_of(setting);
    if (key == kEvaluatedChunk) continue;
    if (key_index(key) < 0)
      throw std::invalid_argument("unknown key '" + key + "'" + meant_key(key));
    if (!is_of_the_task(key) && !lcsm::has_word(kOthers, key))
      throw std::invalid_argument("expected a key of the task, one of " + std::string(kOthers) +
                                  " or system.chunk, got '" + key +
                                  "': a model with another value is another run");
  }
}

void complain_of_eval(const std::string& text) { print_safe("lcsm-train eval: " + text + "\n"); }

// The run's system with chunks of this many steps, as a setting.
std::string with_chunk(const RunConfig& config, const std::string& chunk) {
  if (!config.system() || !has_option(*config.system(), "chunk"))
    throw std::invalid_argument(
        "system.chunk: expected a system with attention within chunks, got " + config.named());
  std::string text = as_given(*config.system());
  const std::string own = "chunk=";
  std::size_t at = text.find(own);
  while (at != std::string::npos && text[at - 1] != '@' && text[at - 1] != ',')
    at = text.find(own, at + 1);
  if (at == std::string::npos)
    text += (text.find('@') == std::string::npos ? "@" : ",") + own + chunk;
  else
    text.replace(at, text.find(',', at) - at, own + chunk);
  return "model.system=" + text;
}

bool names_other_data(const std::vector<std::string>& settings) {
  return std::ranges::any_of(settings, [](const std::string& setting) {
    return key_of(setting) == "task.path" || key_of(setting) == "task.name";
  });
}

// Segments apply to training alone, and another text has other content.
std::vector<std::string> freed_of_training(const RunConfig& own,
                                           std::vector<std::string> settings) {
  const bool other_text = names_other_data(settings);
  const auto clear = [&](TextKey key) {
    if (!own.text(key).empty()) settings.insert(settings.begin(), key_name(key) + "=''");
  };
  clear("task.segments"_key);
  if (other_text) clear("task.content"_key);
  return settings;
}

// A model reads and answers one kind of task. An unknown name is refused with all settings.
void check_task(const std::vector<std::string>& settings, const RunConfig& own) {
  const auto same_kind = [&](const TaskRow& task) {
    return task.reader == own.task().reader && task.inputs == own.task().inputs &&
           task.head == own.task().head;
  };
  for (const std::string& setting : settings) {
    if (key_of(setting) != key_name("task.name"_key)) continue;
    const TaskRow* task = task_row(setting.substr(setting.find('=') + 1));
    if (task == nullptr || same_kind(*task)) continue;
    const std::string names = lcsm::joined_of(kTaskRows, [&](const TaskRow& each) {
      return std::string(same_kind(each) ? each.name : "");
    });
    throw std::invalid_argument("expected a task of the same kind as " +
                                std::string(own.task().name) + ", which the run was trained on (" +
                                names + "), got " + setting);
  }
}

// True if the training data decides which number a token has.
bool is_numbered_by_data(const RunConfig& config) {
  const Setting& tokens = config.at("task.tokens"_key);
  return config.task().inputs == "sentences" ||
         (tokens.used && !lcsm::has_word("bytes gpt2", config.text("task.tokens"_key)));
}

// Keys that determine the training data and the numbers of its tokens.
constexpr std::string_view kNumbering =
    "task.name task.path task.data task.data_options task.tokens task.format task.rarest "
    "task.merges task.text task.label task.split task.valid_share task.test_share task.seed";

void check_numbering(const std::vector<std::string>& settings, const RunConfig& config) {
  for (const std::string& setting : settings)
    if (is_numbered_by_data(config) && lcsm::has_word(kNumbering, key_of(setting)))
      throw std::invalid_argument("expected the run's own data, got " + setting +
                                  ": its tokens are numbered by what it was trained on");
}

// Another draw of a user's own data would test on examples of the training.
void check_draw(const std::vector<std::string>& settings, const RunConfig& own) {
  const auto moves = [](const std::string& setting) { return key_of(setting) == "task.path"; };
  if (!is_own_set(own) || std::ranges::any_of(settings, moves)) return;
  for (const std::string& setting : settings)
    if (lcsm::has_word("task.seed task.split task.test_share task.valid_share", key_of(setting)))
      throw std::invalid_argument("expected the run's own splits, got " + setting +
                                  ": it would test on examples that the run was trained on; "
                                  "set task.path to evaluate on other data");
}

void check_use(const std::vector<std::string>& settings, const RunConfig& config) {
  for (const std::string& setting : settings)
    if (const int key = key_index(key_of(setting)); !config.at(key).used) {
      const std::string by(decided_by(key_row(key)));
      throw std::invalid_argument("expected a setting that has an effect, got " + setting +
                                  " with " + by + " = " +
                                  value_text(config.at(key_index(by)).value));
    }
}

RunConfig config_with(const fs::path& folder, std::vector<std::string> settings) {
  const std::string text = stored_config_text(folder);
  const std::string file = (folder / results::kConfigFile).string();
  const RunConfig own = parse_config(text, file, {}, complain_of_eval);
  check_task(settings, own);
  check_numbering(settings, own);
  check_draw(settings, own);
  for (std::string& setting : settings)
    if (key_of(setting) == kEvaluatedChunk)
      setting = with_chunk(own, setting.substr(kEvaluatedChunk.size() + 1));
  RunConfig config = parse_config(text, file, freed_of_training(own, settings), complain_of_eval);
  check_numbering(settings, config);
  check_use(settings, config);
  return config;
}

// A user's own labels are numbered by the data that has them.
void check_labels(const RunConfig& own, const RunConfig& config, const fs::path& workspace) {
  const auto labels_of = [&](const RunConfig& one) {
    return own_names(DataFile(set_files(one, workspace).front().file.string()).recipe()).labels;
  };
  if (!is_own_set(config)) return;
  const std::vector<std::string> trained = labels_of(own), found = labels_of(config);
  const auto [mine, other] = std::ranges::mismatch(trained, found);
  if (mine != trained.end() && other != found.end())
    throw std::invalid_argument("expected the labels of the run's own data, got '" + *other +
                                "' instead of '" + *mine +
                                "'; evaluate on data with the same labels");
}

// The settings that change the results: "task.length=512 task.pairs=8", sorted, each key once.
std::string text_of(const std::vector<std::string>& settings, const RunConfig& config) {
  std::map<std::string, std::string> values;
  for (const std::string& setting : settings)
    if (const std::string key = key_of(setting); key == kEvaluatedChunk)
      values[key] = setting.substr(key.size() + 1);
    else if (key != "run.threads")
      values[key] = value_text(config.at(key_index(key)).value);
  return lcsm::joined_of(
      values, [](const auto& one) { return one.first + "=" + one.second; }, " ");
}

}  // namespace

results::Evaluation evaluate_run(const fs::path& workspace, const std::string& id,
                                 const EvaluationRequest& request) {
  check_keys(request.settings);
  const fs::path folder = results::run_folder(workspace, id);
  TrainedModel trained(folder, config_with(folder, request.settings), workspace, request.checkpoint,
                       complain_of_eval, !names_other_data(request.settings));
  const RunConfig& config = trained.config();
  check_labels(stored_config(folder, complain_of_eval), config, workspace);
  results::Evaluation evaluation{text_of(request.settings, config),
                                 trained.step(),
                                 results::seconds_since_1970(),
                                 {},
                                 environment_of_process()};
  for (const auto& [name, value] : trained.trainer().metrics(request.split))
    evaluation.metrics.emplace_back(name, value);
  results::write_evaluation(folder, evaluation);
  return evaluation;
}

std::vector<std::string> listed(const std::string& setting) {
  const std::size_t open = setting.find("=[");
  if (open == std::string::npos || !setting.ends_with("]")) return {setting};
  std::vector<std::string> words;
  std::string value;
  char quote = 0;
  const auto take = [&] {
    const std::string_view word = lcsm::trimmed(value);
    if (word.empty())
      throw std::invalid_argument("expected values between the commas, got '" + setting + "'");
    words.push_back(setting.substr(0, open + 1).append(word));
    value.clear();
  };
  for (std::size_t i = open + 2; i + 1 < setting.size(); ++i) {
    const char c = setting[i];
    if (quote == 0 && c == ',') {
      take();
      continue;
    }
    if (quote == 0 && (c == '"' || c == '\''))
      quote = c;
    else if (c == quote)
      quote = 0;
    value += c;
  }
  take();
  return words;
}

std::vector<std::vector<std::string>> crossed(const std::vector<std::string>& settings) {
  std::vector<std::vector<std::string>> all = {{}};
  for (const std::string& setting : settings) {
    std::vector<std::vector<std::string>> longer;
    for (const std::vector<std::string>& start : all)
      for (const std::string& one : listed(setting)) {
        longer.push_back(start);
        longer.back().push_back(one);
      }
    all = std::move(longer);
  }
  return all;
}

}  // namespace runner
