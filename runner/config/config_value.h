// One value of a configuration: reading, checking against its key, printing.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>

#include "runner/config/config_keys.h"

namespace runner {

// The value of a key; choices, texts and codes are strings.
using Value = std::variant<std::int64_t, double, std::string>;

// A value from a file or a command line. monostate: of another type, named in `other` ("a table").
struct Given {
  std::variant<std::monostate, bool, std::int64_t, double, std::string> value;
  std::string other = "";
};

// Why a key does not accept a value: expected, got, suggestion.
struct ValueError : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};
Value accepted(const ConfigKey& key, const Given& given);  // throws ValueError

// The default of the key; none if the user must set it.
std::optional<Value> usual_value(const ConfigKey& key);

std::string toml_text(const Value& value);   // 0.0005, "mqar"
std::string value_text(const Value& value);  // without quotes; not escaped for a terminal

// A number in RFC 8785 (canonical JSON) format, the same as JavaScript's.
std::string canonical_number(double value);

}  // namespace runner
