// ConfigKey, the row of a key, and functions that make rows.
#pragma once

#include <cstdint>
#include <string_view>
#include <variant>

#include "runner/config/keys/key_name.h"

namespace runner {

// monostate: no default, the user must set it.
using Usual = std::variant<std::monostate, std::int64_t, double, std::string_view>;

struct ConfigKey {
  std::string_view name;  // "optim.lr"
  Kind kind = Kind::kText;
  Usual usual = {};            // the default; a task may override it
  std::string_view unit = "";  // unit of a number: "steps"
  std::string_view help = "";
  double least = 0, most = 0;     // of a number
  bool above = false;             // `least` itself is out of range
  std::string_view choices = "";  // of a choice, separated by blanks
  std::string_view only = "";     // applies only with this; "" = always
  bool semantic = true;           // changes the result and hence the run id
};

// Values of `only`: the key applies with the choices whose rows list the key.
inline constexpr std::string_view kByTask = "task.name", kByFamily = "model.family",
                                  kByOptimizer = "optim.name";

namespace key_rows {

struct Range {
  double least, most;
  bool above = false;
};
inline constexpr double kMany = double(std::int64_t{1} << 40);
inline constexpr Range kCount{1, kMany}, kCountOrNone{0, kMany}, kSize{1, 1 << 20},
    kExamples{1, 4294967295.0},  // the order of an epoch has 32-bit indices
    kShare{0, 0.999999999}, kNumber{0, 1e9}, kAboveZero{0, 1e9, true},
    kSeed{0, double(std::int64_t{1} << 53)};

constexpr ConfigKey whole(std::string_view name, std::int64_t usual, std::string_view unit,
                          Range range, std::string_view help, std::string_view only = "") {
  return {.name = name,
          .kind = Kind::kInteger,
          .usual = usual,
          .unit = unit,
          .help = help,
          .least = range.least,
          .most = range.most,
          .only = only};
}
constexpr ConfigKey real(std::string_view name, double usual, std::string_view unit, Range range,
                         std::string_view help, std::string_view only = "") {
  return {.name = name,
          .kind = Kind::kReal,
          .usual = usual,
          .unit = unit,
          .help = help,
          .least = range.least,
          .most = range.most,
          .above = range.above,
          .only = only};
}
constexpr ConfigKey choice(std::string_view name, Usual usual, std::string_view choices,
                           std::string_view help, std::string_view only = "") {
  return {.name = name,
          .kind = Kind::kChoice,
          .usual = usual,
          .help = help,
          .choices = choices,
          .only = only};
}
constexpr ConfigKey text(std::string_view name, std::string_view help, std::string_view only = "") {
  return {.name = name, .usual = std::string_view(""), .help = help, .only = only};
}
constexpr ConfigKey usual_text(std::string_view name, std::string_view usual, std::string_view help,
                               std::string_view only) {
  ConfigKey key = text(name, help, only);
  key.usual = usual;
  return key;
}
constexpr ConfigKey not_semantic(ConfigKey key) {
  key.semantic = false;
  return key;
}

}  // namespace key_rows
}  // namespace runner
