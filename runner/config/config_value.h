// One value of a configuration: what was given, whether its key takes it, how it is written.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>

#include "runner/config/config_keys.h"

namespace runner {

// What a key holds; a choice, a text and a code are texts.
using Value = std::variant<std::int64_t, double, std::string>;

// What a file or a command line offers. Nothing: another thing, such as "a table".
struct Given {
  std::variant<std::monostate, bool, std::int64_t, double, std::string> value;
  std::string other = "";
};

// Why a key does not take a value: expected, got, what was meant.
struct ValueError : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};
Value accepted(const ConfigKey& key, const Given& given);  // throws ValueError

// The default of the table; none when the user must say the value.
std::optional<Value> usual_value(const ConfigKey& key);

std::string toml_text(const Value& value);   // 0.0005, "mqar"
std::string value_text(const Value& value);  // the same without quotes; not safe for a terminal

// A number as RFC 8785 (canonical JSON) writes it, which is how JavaScript does.
std::string canonical_number(double value);

}  // namespace runner
