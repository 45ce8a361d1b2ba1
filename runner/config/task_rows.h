// The tasks, one row each: what a task is, which keys it reads, which defaults it overrides, what
// it reports. The file of the same name generates or reads its examples.
#pragma once

#include <array>
#include <string_view>

namespace runner {

struct TaskRow {
  std::string_view name;
  std::string_view help;
  std::string_view keys;       // of group task, besides name, length and order; separated by blanks
  std::string_view usual;      // defaults that it overrides, "KEY=VALUE" separated by blanks
  std::string_view reports;    // metrics, separated by blanks; tables show the first
  std::string_view data = "";  // row of data_rows.h; "" = generated
};

inline constexpr std::string_view kMqarKeys =
    "task.vocab task.pairs task.power task.filler task.train task.valid task.test task.seed";

// What every run reports besides the metrics of its task.
inline constexpr std::string_view kRunMetrics =
    "train.loss train.lr train.gradient_norm params time.seconds host.peak_mib";

// The recipe of figure 2 of zoology, as used in the LCSM paper.
inline constexpr std::string_view kMqarUsual =
    "task.length=64 model.d=64 model.layers=2 model.heads=1 model.skeleton=zoology "
    "model.dropout=0 model.embedding_dropout=0.1 optim.batch=512 optim.steps=0 optim.epochs=64 "
    "optim.lr=1e-3 optim.schedule=cosine-epochs optim.warmup=0 optim.beta2=0.999 eval.steps=0 "
    "eval.epochs=1 eval.batch=512 eval.best=accuracy eval.stop=0.99";

inline constexpr std::array kTaskRows = {
    TaskRow{"mqar", "recall of the values of several keys", kMqarKeys, kMqarUsual, "accuracy loss"},
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

// The names, separated by blanks.
struct TaskNames {
  static constexpr std::size_t kSize = [] {
    std::size_t size = 0;
    for (const TaskRow& row : kTaskRows) size += row.name.size() + 1;
    return size - 1;
  }();
  static constexpr std::array<char, kSize> kText = [] {
    std::array<char, kSize> text{};
    std::size_t at = 0;
    for (const TaskRow& row : kTaskRows) {
      if (at > 0) text[at++] = ' ';
      for (const char c : row.name) text[at++] = c;
    }
    return text;
  }();
};
inline constexpr std::string_view kTaskNames{TaskNames::kText.data(), TaskNames::kText.size()};

constexpr const TaskRow* task_row(std::string_view name) {
  for (const TaskRow& row : kTaskRows)
    if (row.name == name) return &row;
  return nullptr;
}

}  // namespace runner
