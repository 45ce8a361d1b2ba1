#include "runner/config/toml/config_value.h"

#include <array>
#include <charconv>
#include <cmath>

#include "lcsm/base/nearest.h"
#include "lcsm/base/safe_text.h"
#include "lcsm/base/words.h"
#include "lcsm/formula/formula.h"
#include "results/text/number_text.h"
#include "runner/base/files/json_file.h"
#include "runner/config/keys/config_keys.h"
#include "runner/config/keys/task_rows.h"
#include "runner/config/toml/config_mistakes.h"
#include "runner/config/toml/config_tree.h"

namespace runner {
namespace {

std::string shown(const Given& given) {
  if (const auto* flag = std::get_if<bool>(&given.value)) return *flag ? "true" : "false";
  if (const auto* integer = std::get_if<std::int64_t>(&given.value))
    return std::to_string(*integer);
  if (const auto* real = std::get_if<double>(&given.value)) {
    const std::string text = lcsm::number_text(*real);
    return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
  }
  const auto* text = std::get_if<std::string>(&given.value);
  if (text == nullptr) return given.other;
  return "'" + (text->size() > 60 ? text->substr(0, 60) + "..." : *text) + "'";
}

// A number in quotes is a text; so is one that is too large for TOML, after --set.
std::string hint_at_quotes(const ConfigKey& key, const Given& given) {
  const auto* text = std::get_if<std::string>(&given.value);
  const auto number = text == nullptr ? std::nullopt : results::number_in(*text);
  return number && *number >= key.least && *number <= key.most ? "; remove the quotes" : "";
}

[[noreturn]] void refuse(const ConfigKey& key, const Given& given, const std::string& hint = "") {
  throw ValueError(std::string(key.name) + ": expected " + wanted(key) + ", got " + shown(given) +
                   hint);
}

void check_range(const ConfigKey& key, const Given& given, double value) {
  const bool low = key.above ? value <= key.least : value < key.least;
  if (!std::isfinite(value) || low || value > key.most) refuse(key, given);
}

Value integer(const ConfigKey& key, const Given& given) {
  const auto* value = std::get_if<std::int64_t>(&given.value);
  const auto* real = std::get_if<double>(&given.value);
  if (real != nullptr && *real == std::floor(*real) && std::abs(*real) < 1e15)
    refuse(key, given, "; write " + std::to_string(static_cast<std::int64_t>(*real)));
  if (value == nullptr) refuse(key, given, hint_at_quotes(key, given));
  check_range(key, given, static_cast<double>(*value));  // rounds above 2^53
  if (*value > static_cast<std::int64_t>(key.most)) refuse(key, given);
  return *value;
}

Value real(const ConfigKey& key, const Given& given) {
  const auto* whole = std::get_if<std::int64_t>(&given.value);
  const auto* value = std::get_if<double>(&given.value);
  if (whole == nullptr && value == nullptr) refuse(key, given, hint_at_quotes(key, given));
  const double result = value != nullptr ? *value : static_cast<double>(*whole);
  check_range(key, given, result);
  return result + 0.0;  // no -0
}

Value choice(const ConfigKey& key, const Given& given) {
  const auto* word = std::get_if<std::string>(&given.value);
  if (word == nullptr) refuse(key, given);
  const std::vector<std::string> words = lcsm::words_of(key.choices);
  for (const std::string& each : words)
    if (each == *word) return *word;
  refuse(key, given, lcsm::did_you_mean(*word, words));
}

Value text(const ConfigKey& key, const Given& given) {
  const auto* value = std::get_if<std::string>(&given.value);
  if (value == nullptr) refuse(key, given);
  // A run's configuration is written as TOML and JSON, which hold nothing else.
  if (!lcsm::is_utf8(*value))
    throw ValueError(std::string(key.name) + ": expected text in UTF-8, got '" +
                     lcsm::safe_text(*value) + "'");
  return *value;
}

UsualValues usual_values(const TaskRow* task) {
  UsualValues usual;
  for (const ConfigKey& key : kConfigKeys) usual.values.push_back(usual_value(key));
  usual.of_task.assign(kConfigKeys.size(), false);
  if (task == nullptr) return usual;
  Mistakes none;
  ConfigTree tree;
  for (const std::string& word : lcsm::words_of(task->usual)) read_setting(word, tree, none);
  none.raise();
  for (Assignment& each : tree.assignments) {
    usual.values[static_cast<std::size_t>(each.key)] = std::move(each.value);
    usual.of_task[static_cast<std::size_t>(each.key)] = true;
  }
  return usual;
}

}  // namespace

Value accepted(const ConfigKey& key, const Given& given) {
  switch (key.kind) {
    case Kind::kInteger:
      return integer(key, given);
    case Kind::kReal:
      return real(key, given);
    case Kind::kChoice:
      return choice(key, given);
    default:
      return text(key, given);
  }
}

std::optional<Value> usual_value(const ConfigKey& key) {
  if (const auto* whole = std::get_if<std::int64_t>(&key.usual)) return *whole;
  if (const auto* real = std::get_if<double>(&key.usual)) return *real;
  if (const auto* word = std::get_if<std::string_view>(&key.usual)) return std::string(*word);
  return std::nullopt;
}

const UsualValues& usual_of(const TaskRow* task) {
  static const std::vector<UsualValues> all = [] {
    std::vector<UsualValues> each;
    for (const TaskRow& task_of_table : kTaskRows) each.push_back(usual_values(&task_of_table));
    each.push_back(usual_values(nullptr));
    return each;
  }();
  return task == nullptr ? all.back() : all[static_cast<std::size_t>(task - kTaskRows.data())];
}

const std::optional<Value>& usual_value(int key, const TaskRow* task) {
  return usual_of(task).values[static_cast<std::size_t>(key)];
}

std::string toml_text(const Value& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return std::to_string(*whole);
  if (const auto* real = std::get_if<double>(&value)) {
    const std::string text = canonical_number(*real);
    return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
  }
  return json_line(std::get<std::string>(value));
}

std::string value_text(const Value& value) {
  const auto* text = std::get_if<std::string>(&value);
  return text != nullptr ? *text : toml_text(value);
}

std::string canonical_number(double value) {
  if (value == 0) return "0";
  if (value < 0) return "-" + canonical_number(-value);
  std::array<char, 40> buffer;
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                 std::chars_format::scientific);
  std::string digits(buffer.data(), end.ptr);
  const std::size_t e = digits.find('e');
  const int point = std::stoi(digits.substr(e + 1)) + 1;  // digits before the decimal point
  digits.resize(e);
  std::erase(digits, '.');
  const int count = static_cast<int>(digits.size());
  const auto zeros = [](int n) { return std::string(static_cast<std::size_t>(n), '0'); };
  if (count <= point && point <= 21) return digits + zeros(point - count);
  if (0 < point && point <= 21) return digits.insert(static_cast<std::size_t>(point), ".");
  if (-6 < point && point <= 0) return "0." + zeros(-point) + digits;
  const std::string power = (point > 0 ? "e+" : "e-") + std::to_string(std::abs(point - 1));
  return (count == 1 ? digits : digits.insert(1, ".")) + power;
}

std::vector<std::int64_t> cutoffs_of(std::string_view text) {
  std::vector<std::int64_t> cutoffs;
  const char* at = text.data();
  const char* const end = at + text.size();
  for (;;) {
    std::int64_t cutoff = 0;
    const auto [stop, error] = std::from_chars(at, end, cutoff);
    const std::int64_t before = cutoffs.empty() ? 0 : cutoffs.back();
    if (error != std::errc() || cutoff <= before || (stop != end && *stop != ',')) break;
    cutoffs.push_back(cutoff);
    if (stop == end) return cutoffs;
    at = stop + 1;
  }
  throw std::invalid_argument("expected ascending integers such as 20000,60000, got '" +
                              std::string(text) + "'");
}

SegmentRange segments_of(std::string_view text) {
  constexpr std::int64_t kMost = 1 << 20;
  SegmentRange range;
  const char* const end = text.data() + text.size();
  const auto [dash, first] = std::from_chars(text.data(), end, range.least);
  if (first == std::errc() && dash != end && *dash == '-') {
    const auto [stop, second] = std::from_chars(dash + 1, end, range.most);
    if (second == std::errc() && stop == end && range.least >= 1 && range.least <= range.most &&
        range.most <= kMost)
      return range;
  }
  throw std::invalid_argument("expected a range of chunks such as 2-6, got '" + std::string(text) +
                              "'");
}

}  // namespace runner
