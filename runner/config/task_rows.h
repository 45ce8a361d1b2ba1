// The tasks, one row each: what a task is, which keys it reads and the rules between them, which
// defaults it overrides, the inputs and head of its model, what it reports. Its examples are in
// tasks/task.h.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "lcsm/base/row_names.h"
#include "runner/config/number_rule.h"

namespace runner {

struct TaskRow {
  std::string_view name;
  std::string_view help;
  std::string_view keys;   // of group task, besides name, length and order; separated by blanks
  std::string_view usual;  // defaults that it overrides, "KEY=VALUE" separated by blanks
  std::string_view
      reports;  // rows of results' metric.h, separated by blanks; tables show the first
  std::string_view data = "";  // row of data_rows.h; "" = generated
  std::span<const NumberRule> rules = {};
  std::string_view inputs = "tokens";  // row of models/inputs: the first stage of the model
  std::string_view head = "tokens";    // row of training/heads: how its output is scored
};

inline constexpr std::string_view kMqarKeys =
    "task.vocab task.pairs task.power task.filler task.train task.valid task.test task.seed";

inline constexpr std::array kMqarRules = {
    NumberRule{"task.length", "", [](std::int64_t T, std::int64_t) { return T % 2 == 0; },
               "an even number"},
    NumberRule{"task.pairs", "task.length",
               [](std::int64_t D, std::int64_t T) { return 4 * D <= T; },
               "at most a quarter of {}"},
    NumberRule{"task.vocab", "task.length", [](std::int64_t V, std::int64_t T) { return V > T; },
               "more than {}"},
};

// What every run reports besides the metrics of its task.
inline constexpr std::string_view kRunMetrics =
    "train.loss train.lr train.gradient_norm params time.seconds "
    "time.tokens_per_second host.peak_mib host.training_mib";

// The recipe of figure 2 of zoology, as used in the LCSM paper.
inline constexpr std::string_view kMqarUsual =
    "task.length=64 model.d=64 model.layers=2 model.heads=1 model.skeleton=zoology "
    "model.dropout=0 model.embedding_dropout=0.1 optim.batch=512 optim.steps=0 optim.epochs=64 "
    "optim.lr=1e-3 optim.schedule=cosine-epochs optim.warmup=0 optim.beta2=0.999 eval.steps=0 "
    "eval.epochs=1 eval.batch=512 eval.best=accuracy eval.stop=0.99";

inline constexpr std::array kTaskRows = {
    TaskRow{"mqar", "recall of the values of several keys", kMqarKeys, kMqarUsual, "accuracy loss",
            "", kMqarRules},
    TaskRow{"wikitext-103", "the next token of Wikipedia articles, 103 M words",
            "task.tokens task.format task.path", "", "ppl loss", "wikitext-103"},
    TaskRow{"wikitext-2", "the next token of Wikipedia articles, 2 M words",
            "task.tokens task.format task.path", "task.tokens=words task.format=tokens", "ppl loss",
            "wikitext-2"},
    TaskRow{"tiny-shakespeare", "the next token of 1 MB of Shakespeare", "task.tokens task.path",
            "task.tokens=bytes", "ppl loss", "tiny-shakespeare"},
    TaskRow{"text", "the next token of a custom text file", "task.tokens task.path task.content",
            "task.tokens=bytes", "ppl loss", "text"},
};

constexpr const TaskRow* task_row(std::string_view name) {
  return lcsm::row_named(kTaskRows, name);
}

}  // namespace runner
