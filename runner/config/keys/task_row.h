// TaskRow: what is known of a task before its data is read. The functions that read it are in
// data/tasks/task.cpp and data/batches/task_data.cpp.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "runner/config/keys/number_rule.h"

namespace runner {

// The size of a text before it is read: round figures.
struct TextSize {
  double bytes = 0, words = 0, gpt2 = 0;  // tokens to train on, by task.tokens
  double held_out = 0;                    // the validation and the test text, each a share of that
  double vocabulary = 0;                  // of words
};

// A text: its files, the names they may have, and their source. Names are separated by blanks.
struct TextSource {
  std::string_view name;                // folder below a data folder, and alternative names
  std::string_view format;              // of task.format; "" = there is only one
  std::string_view train, valid, test;  // "" = parts of the one file named in `train`
  std::string_view size;                // the expected size
  std::string_view from;                // "" = from the user
  TextSize about = {};
  std::string_view had_by = "";  // the command that brings it
};

// A data set in our file format, named as its task.
struct SetFacts {
  std::int64_t vocabulary = 0;             // of tokens or pixels; 1 where values are real
  std::array<std::int64_t, 3> examples{};  // by split
  std::string_view had_by = "";            // the command that brings it
  std::int64_t scored = 1;                 // predictions of an example
  std::int64_t position = -1;  // the only position that is scored; -1: all, or their mean
  bool cut = false;            // examples longer than task.length are cut, not refused
  double steps = 0;            // of an example, on average; of a text: bytes; 0: task.length
  std::int64_t longest = 0;    // steps, or pixels, of its longest example; 0: not known
  // ----- Of pairs of sentences -----
  std::string_view stored = "";  // the data set, if it is not named as the task
  bool backward = false;         // from its second language to its first
  double words = 0;              // tokens of a sentence, on average
  std::string_view moses = "";   // the language translated into, of texts that Moses tokenized
};

struct TaskRow {
  std::string_view name;
  std::string_view help;
  std::string_view keys;   // of group task, besides name, length and order; separated by blanks
  std::string_view usual;  // defaults that it overrides, "KEY=VALUE" separated by blanks
  std::string_view
      reports;              // rows of results' metric.h, separated by blanks; tables show the first
  std::string_view reader;  // row of data/tasks/task.cpp
  std::span<const TextSource> texts = {};  // of reader text, by format
  SetFacts set = {};                       // of reader set
  std::string_view inputs = "tokens";      // row of skeletons/inputs: the first stage of the model
  std::string_view head = "tokens";        // row of train/loss/heads: how its output is scored
  std::int64_t outputs = 0;   // of a head that has a matrix of its own: classes, or values
  std::int64_t channels = 1;  // of inputs that are numbers
  std::span<const NumberRule> rules = {};  // between its keys
  std::string_view apart = "";  // the metric of test examples that are reported apart: accuracy
};

constexpr bool reads_data_files(const TaskRow& task) {
  return task.reader == "set" || task.reader == "sentences";
}

// task_rows.h does not compile with a row that lacks something.
constexpr bool has_all_facts(const TaskRow& task) {
  const bool counted = task.keys.find("task.classes") != task.keys.npos;
  return !task.name.empty() && !task.help.empty() && !task.keys.empty() && !task.reports.empty() &&
         !task.reader.empty() && (task.reader == "text") == !task.texts.empty() &&
         reads_data_files(task) == (task.set.vocabulary > 0 && !task.set.had_by.empty() &&
                                    std::ranges::min(task.set.examples) > 0) &&
         (task.head == "tokens" || counted) == (task.outputs == 0);
}

}  // namespace runner
