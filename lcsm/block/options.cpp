#include "lcsm/block/options.h"

#include <charconv>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "lcsm/base/nearest.h"
#include "lcsm/base/row_names.h"

namespace lcsm {
namespace {

std::vector<std::string> split(std::string_view words) {
  std::vector<std::string> all;
  for (std::size_t at = 0; at < words.size();) {
    const std::size_t end = std::min(words.find(' ', at), words.size());
    all.emplace_back(words.substr(at, end - at));
    at = end + 1;
  }
  return all;
}

std::string short_number(double value) {
  std::string text = std::to_string(value);
  while (text.ends_with('0')) text.pop_back();
  if (text.ends_with('.')) text.pop_back();
  return text;
}

template <class Number>
bool parse(std::string_view text, Number* value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *value);
  return error == std::errc() && end == text.data() + text.size();
}

std::string expected_of(const OptionRow& row) {
  switch (row.kind) {
    case OptionKind::kFlag:
      return "true or false";
    case OptionKind::kWord:
      return "one of: " + std::string(row.words);
    case OptionKind::kInteger:
      return "an integer >= " + short_number(row.least);
    case OptionKind::kNumber:
      return "a number from " + short_number(row.least) + " to " + short_number(row.most);
    case OptionKind::kText:
      return "a text";
  }
  return "";
}

bool is_good(const OptionRow& row, std::string_view value) {
  if (row.kind == OptionKind::kFlag) return value == "true" || value == "false";
  if (row.kind == OptionKind::kText) return !value.empty();
  if (row.kind == OptionKind::kWord) {
    for (const std::string& word : split(row.words))
      if (word == value) return true;
    return false;
  }
  std::int64_t whole = 0;
  if (row.kind == OptionKind::kInteger && !parse(value, &whole)) return false;
  double real = 0;
  return parse(value, &real) && real >= row.least && real <= row.most;
}

}  // namespace

Options::Options(std::string_view family, std::span<const OptionRow> rows)
    : family_(family), rows_(rows) {
  for (const OptionRow& row : rows) values_[std::string(row.name)] = row.preset;
}

void Options::set(std::string_view setting) {
  const std::size_t equals = setting.find('=');
  if (equals == std::string_view::npos)
    throw std::invalid_argument(std::string(family_) + ": expected OPTION=VALUE, got '" +
                                std::string(setting) + "'");
  set(setting.substr(0, equals), setting.substr(equals + 1));
}

void Options::set(std::string_view name, std::string_view value) {
  const OptionRow* row = row_named(rows_, name);
  if (row == nullptr) {
    std::vector<std::string> names;
    std::string listed;
    for (const OptionRow& known : rows_) {
      names.emplace_back(known.name);
      listed += (listed.empty() ? "" : ", ") + names.back();
    }
    throw std::invalid_argument(std::string(family_) + ": expected one of its options (" + listed +
                                "), got '" + std::string(name) + "'" + did_you_mean(name, names));
  }
  if (!is_good(*row, value)) {
    const std::vector<std::string> words = split(row->words);
    throw std::invalid_argument(std::string(family_) + ": option '" + std::string(name) +
                                "': expected " + expected_of(*row) + ", got '" +
                                std::string(value) + "'" + did_you_mean(value, words));
  }
  values_.find(name)->second = value;
  set_[std::string(name)] = value;
}

void Options::check() const {
  for (const OptionRow& row : rows_) {
    const std::size_t equals = row.needs.find('=');
    if (!is_set(row.name) || equals == std::string_view::npos) continue;
    const bool other = row.needs[equals - 1] == '!';
    const bool same =
        text(row.needs.substr(0, equals - (other ? 1 : 0))) == row.needs.substr(equals + 1);
    if (same == other)
      throw std::invalid_argument(std::string(family_) + ": option '" + std::string(row.name) +
                                  "' has no effect without " + std::string(row.needs) +
                                  ": remove it");
  }
  if (row_named(rows_, kLayer.name) != nullptr && row_named(rows_, kLayers.name) != nullptr &&
      integer(kLayer.name) >= integer(kLayers.name))
    throw std::invalid_argument(std::string(family_) +
                                ": option 'layer': expected less than layers = " +
                                text(kLayers.name) + ", got " + text(kLayer.name));
}

void Options::put_place(std::int64_t layer, std::int64_t layers) {
  for (const OptionRow& row : rows_)
    if (row.place != Place::kNone && !is_set(row.name))
      values_.find(row.name)->second = std::to_string(row.place == Place::kLayer ? layer : layers);
}

std::int64_t Options::integer(std::string_view name) const {
  std::int64_t value = 0;
  parse(text(name), &value);
  return value;
}

double Options::number(std::string_view name) const {
  double value = 0;
  parse(text(name), &value);
  return value;
}

const std::string& Options::text(std::string_view name) const {
  const auto found = values_.find(name);
  if (found == values_.end())
    throw std::logic_error(std::string(family_) + " has no option '" + std::string(name) + "'");
  return found->second;
}

}  // namespace lcsm
