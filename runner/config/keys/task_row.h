// TaskRow: the facts about a task that are known before its data is read. Its readers are in
// data/tasks/task.cpp and data/batches/task_data.cpp.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "runner/config/keys/number_rule.h"

namespace runner {

// The approximate size of a text, known before it is read.
struct TextSize {
  double bytes = 0, words = 0, gpt2 = 0;  // tokens to train on, by task.tokens
  double held_out = 0;    // validation text and test text, each as a share of the training text
  double vocabulary = 0;  // of words
};

// A text: its files, their possible names, and their source. Names are separated by blanks.
struct TextSource {
  std::string_view name;                // folder below a data folder, and alternative names
  std::string_view format;              // of task.format; "" = there is only one
  std::string_view train, valid, test;  // "" = parts of the one file named in `train`
  std::string_view size;                // the expected size
  std::string_view from;                // "" = from the user
  TextSize about = {};
  std::string_view had_by = "";  // the command that installs it
};

// A data set in our file format, named as its task.
struct SetFacts {
  std::int64_t vocabulary = 0;             // of tokens or pixels; 1 where values are real
  std::array<std::int64_t, 3> examples{};  // by split
  std::int64_t scored = 1;                 // predictions of an example
  std::int64_t position = -1;              // the only scored position; -1: all, or their mean
  bool cut = false;                        // examples longer than task.length are cut, not refused
  double steps = 0;          // of an example, on average; of a text: bytes; 0: task.length
  std::int64_t longest = 0;  // steps, or pixels, of its longest example; 0: not known
  // ----- Of pairs of sentences -----
  std::string_view stored = "";  // the data set's name, if it differs from the task's: stored_name
  bool backward = false;         // from its second language to its first
  double words = 0;              // tokens of a sentence, on average
  std::string_view moses = "";   // the target language, if Moses tokenized the texts
};

struct TaskRow {
  std::string_view name;
  std::string_view help;
  std::string_view keys;   // of group task, without name, length and order; separated by blanks
  std::string_view usual;  // overridden defaults, "KEY=VALUE" separated by blanks
  // Rows of results' metric.h, separated by blanks; tables show the first.
  std::string_view reports = "accuracy loss";
  std::string_view reader = "set";         // row of data/tasks/task.cpp
  std::span<const TextSource> texts = {};  // of reader text, by format
  SetFacts set = {};                       // of reader set
  std::string_view inputs = "tokens";      // row of skeletons/inputs, the first stage of the model
  std::string_view head = "tokens";        // row of train/loss/heads, which scores the output
  std::int64_t outputs = 0;                // of a head with its own matrix: classes, or values
  std::int64_t channels = 1;               // of inputs that are numbers
  std::span<const NumberRule> rules = {};  // between its keys
  std::string_view apart = "";  // the metric of test examples that are reported separately
};

constexpr std::string_view stored_name(const TaskRow& task) {
  return task.set.stored.empty() ? task.name : task.set.stored;
}

constexpr bool reads_data_files(const TaskRow& task) {
  return task.reader == "set" || task.reader == "sentences";
}

// Checked by a static_assert in task_rows.h.
constexpr bool has_all_facts(const TaskRow& task) {
  const bool counted = task.keys.find("task.classes") != task.keys.npos;
  return !task.name.empty() && !task.help.empty() && !task.keys.empty() && !task.reports.empty() &&
         !task.reader.empty() && (task.reader == "text") == !task.texts.empty() &&
         reads_data_files(task) ==
             (task.set.vocabulary > 0 && std::ranges::min(task.set.examples) > 0) &&
         (task.head == "tokens" || counted) == (task.outputs == 0);
}

}  // namespace runner
