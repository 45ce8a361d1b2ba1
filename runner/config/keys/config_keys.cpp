#include "runner/config/keys/config_keys.h"

#include <algorithm>
#include <array>
#include <utility>

#include "lcsm/base/nearest.h"
#include "lcsm/base/words.h"
#include "lcsm/formula/formula.h"
#include "runner/config/keys/eval_keys.h"
#include "runner/config/keys/model_keys.h"
#include "runner/config/keys/optim_keys.h"
#include "runner/config/keys/run_keys.h"
#include "runner/config/keys/task_keys.h"

namespace runner {
namespace {

constexpr std::size_t kGroups = 5;
template <std::size_t... group>
constexpr auto starts_of(std::index_sequence<group...>) {
  std::array<std::size_t, kGroups + 1> starts{};
  ((starts[group + 1] = starts[group] + KeysOf<KeyGroup(group)>::kRows.size()), ...);
  return starts;
}
// The first row of each group among all keys, then the number of keys.
constexpr std::array kStarts = starts_of(std::make_index_sequence<kGroups>());

template <std::size_t... group>
constexpr auto all_rows(std::index_sequence<group...>) {
  std::array<ConfigKey, kStarts.back()> rows{};
  (std::ranges::copy(KeysOf<KeyGroup(group)>::kRows, rows.begin() + kStarts[group]), ...);
  return rows;
}
constexpr std::array kAllRows = all_rows(std::make_index_sequence<kGroups>());

std::string_view last_part(std::string_view name) { return name.substr(name.rfind('.') + 1); }

std::string_view table_of(std::string_view name) {
  const std::size_t dot = name.find('.');
  return dot == std::string_view::npos ? "" : name.substr(0, dot);
}

std::string keys_of_table(std::string_view table) {
  std::string list;
  for (const ConfigKey& key : kConfigKeys)
    if (key.name.starts_with(table) && key.name.substr(table.size()).starts_with('.'))
      list += (list.empty() ? "" : ", ") + std::string(last_part(key.name));
  return list;
}

std::string tables_and_bare_keys() {
  std::string list;
  std::string_view before;
  for (const ConfigKey& key : kConfigKeys) {
    const std::string_view table = key.name.substr(0, key.name.find('.'));
    if (table != before) list += (list.empty() ? "" : ", ") + std::string(table);
    before = table;
  }
  return list;
}

// True if the row with this name lists the key, or if no row has this name.
template <class Rows>
bool lists(const Rows& rows, std::string_view name, std::string_view key) {
  const auto* row = lcsm::row_named(rows, name);
  return row == nullptr || lcsm::has_word(row->keys, key);
}

// Other tools' names for our keys.
struct OtherName {
  AnyKey key;
  std::string_view names;
};
constexpr std::array kOtherNames = {
    OtherName{"task.name"_key, "dataset data"},
    OtherName{"task.length"_key,
              "seq_len seqlen sequence_length input_seq_len context context_length "
              "block_size max_seq_len max_length window"},
    OtherName{"task.vocab"_key, "vocab_size n_vocab"},
    OtherName{"task.pairs"_key, "num_kv_pairs kv_pairs num_pairs"},
    OtherName{"task.train"_key, "num_examples num_train_examples n_train train_size"},
    OtherName{"task.test"_key, "num_test_examples n_test test_size"},
    OtherName{"task.valid"_key, "num_valid_examples n_valid valid_size val"},
    OtherName{"model.family"_key, "mixer sequence_mixer type arch"},
    OtherName{"model.d"_key,
              "d_model hidden hidden_size hidden_dim embed embed_dim embedding_dim "
              "n_embd n_embed dim width model_dim"},
    OtherName{"model.k"_key, "d_state state_size state_dim expand expand_ratio n_state"},
    OtherName{"model.layers"_key, "depth n_layer n_layers num_layers num_hidden_layers blocks"},
    OtherName{"model.heads"_key, "n_head n_heads num_heads num_attention_heads"},
    OtherName{"optim.name"_key, "optimizer optim"},
    OtherName{"optim.lr"_key, "learning_rate"},
    OtherName{"optim.decay"_key, "wd weight_decay"},
    OtherName{"optim.batch"_key, "batch_size bs bsz train_batch_size"},
    OtherName{"optim.accumulate"_key,
              "grad_accum accumulation accumulate_grad_batches gradient_accumulation_steps"},
    OtherName{"optim.steps"_key, "max_steps num_steps n_steps iterations iters max_iters updates"},
    OtherName{"optim.epochs"_key, "max_epochs num_epochs n_epochs num_train_epochs"},
    OtherName{"optim.warmup"_key, "warmup_steps warmup_iters num_warmup_steps warm_up"},
    OtherName{"optim.schedule"_key, "scheduler lr_scheduler lr_schedule lr_scheduler_type"},
    OtherName{"optim.clip"_key,
              "grad_clip clip_grad clip_norm max_norm max_grad_norm gradient_clip"},
    OtherName{"optim.precision"_key, "dtype amp bf16 fp16 mixed_precision"},
    OtherName{"eval.batch"_key, "eval_batch_size test_batch_size val_batch_size"},
    OtherName{"eval.steps"_key, "eval_steps eval_interval eval_every val_check_interval"},
    OtherName{"run.threads"_key, "num_threads n_threads num_workers workers"},
    OtherName{"run.log_steps"_key, "log_every log_interval logging_steps"},
    OtherName{"run.checkpoint_steps"_key, "save_steps save_every save_interval"},
    OtherName{"seed"_key, "random_seed rng_seed manual_seed"},
};

}  // namespace

constinit const std::span<const ConfigKey> kConfigKeys = kAllRows;

int index_of(AnyKey key) {
  return static_cast<int>(kStarts[static_cast<std::size_t>(key.group)] + key.row);
}

int key_index(std::string_view name) {
  const auto found = std::ranges::find(kConfigKeys, name, &ConfigKey::name);
  return found == kConfigKeys.end() ? -1 : static_cast<int>(found - kConfigKeys.begin());
}

std::string_view decided_by(const ConfigKey& key) {
  return key.only.substr(0, std::min(key.only.find(' '), key.only.size()));
}

bool applies_with(const ConfigKey& key, std::string_view choice) {
  if (key.only == kByTask) return lists(kTaskRows, choice, key.name);
  if (key.only == kByFamily) return lists(kFamilyRows, choice, key.name);
  if (key.only == kByOptimizer) return lists(kOptimizerRows, choice, key.name);
  return key.only.empty() || key.only.ends_with(" = " + std::string(choice));
}

std::string_view nearest_key(std::string_view name) {
  const std::string_view part = last_part(name), table = table_of(name);
  for (const OtherName& other : kOtherNames)
    if (lcsm::has_word(other.names, part)) return key_row(index_of(other.key)).name;
  // Counts half edits. A key of another table costs one more, so the given table wins ties.
  int best = part.empty() ? 0 : 2 * std::max<int>(1, static_cast<int>(part.size()) / 3) + 2;
  std::string_view meant;
  for (const ConfigKey& key : kConfigKeys) {
    const int away =
        2 * lcsm::edit_distance(part, last_part(key.name)) + (table_of(key.name) != table);
    if (away >= best) continue;
    best = away;
    meant = key.name;
  }
  return meant;
}

std::string meant_key(std::string_view name) {
  const std::string_view meant = nearest_key(name), table = table_of(name);
  if (!meant.empty()) return "; did you mean '" + std::string(meant) + "'?";
  const std::string keys = keys_of_table(table);
  return keys.empty() ? "; expected one of " + tables_and_bare_keys()
                      : "; " + std::string(table) + " has " + keys;
}

std::string wanted(const ConfigKey& key) {
  const auto range = [&key] {
    return std::string(key.above ? " above " : " from ") + lcsm::number_text(key.least) +
           (key.above ? " and at most " : " to ") + lcsm::number_text(key.most);
  };
  switch (key.kind) {
    case Kind::kInteger:
      return (key.unit.empty() ? "an integer" : "a whole number of " + std::string(key.unit)) +
             range();
    case Kind::kReal:
      return "a number" + (key.unit.empty() ? "" : " of " + std::string(key.unit)) + range();
    case Kind::kChoice:
      return "one of " + lcsm::joined(lcsm::words_of(key.choices));
    case Kind::kCode:
      return "a code such as 1-9-1-4";
    case Kind::kSystem:
      return "a named system; 'lcsm systems' lists them";
    case Kind::kText:
      break;
  }
  return "a string";
}

}  // namespace runner
