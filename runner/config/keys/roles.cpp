#include "runner/config/keys/roles.h"

#include <array>

#include "lcsm/base/words.h"
#include "results/text/number_text.h"
#include "runner/config/keys/config_keys.h"
#include "runner/config/keys/eval_keys.h"
#include "runner/config/keys/model_keys.h"
#include "runner/config/keys/optim_keys.h"
#include "runner/config/keys/run_keys.h"
#include "runner/config/keys/task_keys.h"
#include "runner/config/keys/task_rows.h"

namespace runner {
namespace {

constexpr std::array kBudgets = {kNameOf<"optim.steps"_key>, kNameOf<"optim.epochs"_key>,
                                 kNameOf<"optim.tokens"_key>, kNameOf<"optim.minutes"_key>};
constexpr std::array kModels = {kNameOf<"model.code"_key>, kNameOf<"model.system"_key>,
                                kNameOf<"model.family"_key>};

constexpr std::array kSizes = {kNameOf<"task.valid"_key>,   kNameOf<"task.test"_key>,
                               kNameOf<"task.content"_key>, kNameOf<"eval.examples"_key>,
                               kNameOf<"optim.batch"_key>,  kNameOf<"task.length"_key>};

std::string_view value_of(const results::Parameters& run, std::string_view key) {
  const auto at = run.find(key);
  return at == run.end() ? std::string_view() : at->second;
}

std::int64_t whole_of(const results::Parameters& run, std::string_view key) {
  return results::whole_number_in(value_of(run, key)).value_or(0);
}

// Own data and other data sets were counted when they were read. Runs have the content of such
// data; only evaluations name it.
std::int64_t size_of(std::string_view split, const TaskRow& task, const results::Parameters& run) {
  if (lcsm::has_word(task.keys, kNameOf<"task.valid"_key>))
    return whole_of(run, split == "valid" ? kNameOf<"task.valid"_key> : kNameOf<"task.test"_key>);
  const auto has = [&](std::string_view key) { return !value_of(run, key).empty(); };
  if (has(kNameOf<"task.data"_key>) || has(kNameOf<"task.path"_key>)) return 0;
  if (has(kNameOf<"task.content"_key>) || lcsm::has_word(task.keys, kNameOf<"task.classes"_key>))
    return whole_of(run, std::string(results::kExamplesFact) + std::string(split));
  return task.set.examples[split == "valid" ? 1 : 2];
}

std::int64_t examples(std::string_view split, const results::Parameters& run) {
  const TaskRow* task = task_row(value_of(run, kNameOf<"task.name"_key>));
  if (task == nullptr || (split != "valid" && split != "test")) return 0;
  const std::int64_t count = size_of(split, *task, run),
                     most = whole_of(run, kNameOf<"eval.examples"_key>);
  return most > 0 && (count == 0 || most < count) ? most : count;
}

// Shorter examples than task.length, and the last batch of an epoch, are counted as whole ones.
std::string trained(std::int64_t steps, const results::Parameters& run) {
  const TaskRow* task = task_row(value_of(run, kNameOf<"task.name"_key>));
  const std::int64_t examples = steps * whole_of(run, kNameOf<"optim.batch"_key>);
  if (task == nullptr || examples == 0) return "";
  if (task->inputs != "tokens") return std::to_string(examples) + " examples";
  return std::to_string(examples * whole_of(run, kNameOf<"task.length"_key>)) + " tokens";
}

bool asks(std::string_view key) {
  return key.starts_with("task.") || key.starts_with("eval.") || results::has_role(kBudgets, key);
}

// Runs keep what a path leads to.
std::string_view meant(std::string_view name) {
  const std::string_view key = nearest_key(name);
  if (key == kNameOf<"model.from"_key>) return kNameOf<"model.from_content"_key>;
  const int at = key_index(key);
  const bool kept = at < 0 || key_row(at).semantic || !key.starts_with("task.");
  return kept ? key : kNameOf<"task.content"_key>;
}

}  // namespace

constinit const results::Roles kRoles = {.seed = kNameOf<"seed"_key>,
                                         .rate = kNameOf<"optim.lr"_key>,
                                         .steps = kNameOf<"optim.steps"_key>,
                                         .budgets = kBudgets,
                                         .task = kNameOf<"task.name"_key>,
                                         .models = kModels,
                                         .start = kNameOf<"model.from_content"_key>,
                                         .text = kNameOf<"task.content"_key>,
                                         .minutes = kNameOf<"optim.minutes"_key>,
                                         .examples = examples,
                                         .sizes = kSizes,
                                         .trained = trained,
                                         .asks = asks,
                                         .meant = meant};

}  // namespace runner
