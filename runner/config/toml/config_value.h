// One value of a configuration: reading, checking against its key, printing; the defaults.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace runner {

struct ConfigKey;
struct TaskRow;

// The value of a key; choices, texts and codes are strings.
using Value = std::variant<std::int64_t, double, std::string>;

// A value from a file or a command line. monostate: of another type, named in `other` ("a table").
struct Given {
  std::variant<std::monostate, bool, std::int64_t, double, std::string> value;
  std::string other = "";
};

// The reason why a key rejects a value: what was expected, what was given, a suggestion.
struct ValueError : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};
Value accepted(const ConfigKey& key, const Given& given);  // throws ValueError

// The default of the key; none if the user must set it.
std::optional<Value> usual_value(const ConfigKey& key);

// The defaults of the keys; a task's own defaults override them.
struct UsualValues {
  std::vector<std::optional<Value>> values;
  std::vector<bool> of_task;
};

// The defaults for this task; null: no task. Cached per task, since planning a sweep resolves
// thousands of points.
const UsualValues& usual_of(const TaskRow* task);

// The task's default for a key, otherwise the key's own. `task` may be null.
const std::optional<Value>& usual_value(int key, const TaskRow* task);

std::string toml_text(const Value& value);   // 0.0005, "mqar"
std::string value_text(const Value& value);  // without quotes; not escaped for a terminal

// Formats a number as RFC 8785 (canonical JSON) and JavaScript do.
std::string canonical_number(double value);

// "20000,60000". Throws std::invalid_argument unless they are whole numbers from 1, each above the
// last.
std::vector<std::int64_t> cutoffs_of(std::string_view text);

// "2-6": the least and the most chunks of a segment. Throws std::invalid_argument unless 1 <= least
// <= most.
struct SegmentRange {
  std::int64_t least = 1, most = 1;
};
SegmentRange segments_of(std::string_view text);

}  // namespace runner
