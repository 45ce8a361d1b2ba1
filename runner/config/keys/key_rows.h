// How a row of a table of keys is written.
#pragma once

#include <cstdint>
#include <string_view>

#include "runner/config/keys/config_keys.h"

namespace runner::key_rows {

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

}  // namespace runner::key_rows
