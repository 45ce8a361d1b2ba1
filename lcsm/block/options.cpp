#include "lcsm/block/options.h"

#include <charconv>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "lcsm/base/nearest.h"
#include "lcsm/base/row_names.h"
#include "lcsm/base/words.h"

namespace lcsm {
namespace {

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
  if (row.kind == OptionKind::kWord) return is_one_of(row.words, value);
  std::int64_t whole = 0;
  if (row.kind == OptionKind::kInteger && !parse(value, &whole)) return false;
  double real = 0;
  return parse(value, &real) && real >= row.least && real <= row.most;
}

}  // namespace

Options::Options(std::string_view block, std::span<const OptionRow> rows)
    : block_(block), rows_(rows) {
  for (const OptionRow& row : rows) values_[std::string(row.name)] = row.preset;
}

void Options::set(std::string_view setting) {
  const std::size_t equals = setting.find('=');
  if (equals == std::string_view::npos)
    throw std::invalid_argument(std::string(block_) + ": expected OPTION=VALUE, got '" +
                                std::string(setting) + "'");
  set(setting.substr(0, equals), setting.substr(equals + 1));
}

void Options::set(std::string_view name, std::string_view value) {
  const OptionRow* row = row_named(rows_, name);
  if (row == nullptr) {
    std::vector<std::string> names;
    for (const OptionRow& known : rows_) names.emplace_back(known.name);
    throw std::invalid_argument(std::string(block_) + ": expected one of its options (" +
                                joined(names) + "), got '" + std::string(name) + "'" +
                                did_you_mean(name, names));
  }
  if (!is_good(*row, value)) {
    const std::vector<std::string> words = words_of(row->words);
    throw std::invalid_argument(std::string(block_) + ": option '" + std::string(name) +
                                "': expected " + expected_of(*row) + ", got '" +
                                std::string(value) + "'" + did_you_mean(value, words));
  }
  values_.find(name)->second = value;
  set_[std::string(name)] = value;
}

bool Options::has_effect(const OptionRow& row) const {
  const std::size_t equals = row.needs.find('=');
  if (equals == std::string_view::npos) return true;
  const bool other = row.needs[equals - 1] == '!';
  const bool same =
      text(row.needs.substr(0, equals - (other ? 1 : 0))) == row.needs.substr(equals + 1);
  return same != other;
}

void Options::check() const {
  for (const OptionRow& row : rows_)
    if (is_set(row.name) && !has_effect(row))
      throw std::invalid_argument(std::string(block_) + ": option '" + std::string(row.name) +
                                  "' has no effect without " + std::string(row.needs) +
                                  ": remove it");
  std::int64_t layer = 0, layers = 1;
  for (const OptionRow& row : rows_) {
    if (row.place == Place::kLayer) read_option(text(row.name), &layer);
    if (row.place == Place::kLayers) read_option(text(row.name), &layers);
  }
  if (has("layer") && has("layers") && layer >= layers)
    throw std::invalid_argument(std::string(block_) +
                                ": option 'layer': expected less than layers = " +
                                std::to_string(layers) + ", got " + std::to_string(layer));
}

void Options::put_place(std::int64_t layer, std::int64_t layers) {
  for (const OptionRow& row : rows_)
    if (row.place != Place::kNone && !is_set(row.name))
      values_.find(row.name)->second = std::to_string(row.place == Place::kLayer ? layer : layers);
}

const std::string& Options::text(std::string_view name) const {
  const auto found = values_.find(name);
  if (found == values_.end())
    throw std::logic_error(std::string(block_) + " has no option '" + std::string(name) + "'");
  return found->second;
}

std::string short_number(double value) {
  std::string text = std::to_string(value);
  while (text.ends_with('0')) text.pop_back();
  if (text.ends_with('.')) text.pop_back();
  return text;
}

std::string preset_of(bool value) { return value ? "true" : "false"; }
std::string preset_of(std::int64_t value) { return std::to_string(value); }

// The shortest text of the number: 1e-6, not 1e-06.
std::string preset_of(double value) {
  char text[32];
  std::string number(text, std::to_chars(text, text + sizeof(text), value).ptr);
  const std::size_t zero = number.find("e-0");
  return zero == std::string::npos ? number : number.erase(zero + 2, 1);
}

void read_option(const std::string& text, bool* field) { *field = text == "true"; }
void read_option(const std::string& text, std::int64_t* field) { parse(text, field); }
void read_option(const std::string& text, double* field) { parse(text, field); }

}  // namespace lcsm
