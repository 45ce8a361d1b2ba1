#include "runner/cluster/submission/named_tables.h"

#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "lcsm/base/nearest.h"
#include "lcsm/base/words.h"
#include "runner/base/files/toml_file.h"
#include "runner/base/process/exit_code.h"
#include "runner/base/process/process_facts.h"
#include "runner/base/text/duration.h"
#include "runner/config/toml/config_toml.h"

namespace runner {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMostNumber = 1'000'000;
constexpr double kMostSeconds = 366.0 * 86400;

bool is_word(const std::string& text) {
  return !text.empty() &&
         std::ranges::all_of(text, [](unsigned char c) { return c > ' ' && c != 127; });
}

std::string in_quotes(std::string_view key) { return "'" + std::string(key) + "'"; }

toml::table parse(std::string_view text, const std::string& path) {
  try {
    return parse_toml(text, path);
  } catch (const toml::parse_error& error) {
    const toml::source_position begin = error.source().begin;
    throw SourceErrors(path, text, {{begin.line, begin.column, std::string(error.description())}});
  }
}

std::vector<fs::path> places_of(const fs::path& sweep_file, const fs::path& workspace) {
  const bool is_file = fs::is_regular_file(sweep_file);
  std::vector<fs::path> places = {
      is_file ? fs::absolute(sweep_file).parent_path() : fs::current_path(),
      fs::absolute(workspace)};
  const std::string configuration = environment_variable("XDG_CONFIG_HOME"),
                    home = environment_variable("HOME");
  if (!configuration.empty())
    places.push_back(fs::path(configuration) / "lcsm");
  else if (!home.empty())
    places.push_back(fs::path(home) / ".config" / "lcsm");
  return places;
}

}  // namespace

NamedTable::NamedTable(const toml::key& key, const toml::table& table,
                       std::vector<SourceError>& errors)
    : key_(key), table_(table), name_(key.str()), errors_(errors), before_(errors.size()) {}

bool NamedTable::has(std::string_view key) const { return table_.contains(key); }

void NamedTable::read_word(std::string_view key, std::string* into) {
  const toml::node* const node = find(key);
  if (node == nullptr) return;
  const auto text = node->value_exact<std::string>();
  if (text && is_word(*text))
    *into = *text;
  else
    note_at(node->source(), in_quotes(key) + " must be a quoted word without spaces");
}

void NamedTable::read_number(std::string_view key, std::int64_t* into) {
  const toml::node* const node = find(key);
  if (node == nullptr) return;
  const auto number = node->value_exact<std::int64_t>();
  if (number && *number >= 1 && *number <= kMostNumber)
    *into = *number;
  else
    note_at(node->source(),
            in_quotes(key) + " must be an integer from 1 to " + std::to_string(kMostNumber));
}

void NamedTable::read_seconds(std::string_view key, std::int64_t* into) {
  const toml::node* const node = find(key);
  if (node == nullptr) return;
  const auto text = node->value_exact<std::string>();
  if (!text) return note_at(node->source(), in_quotes(key) + " must be like \"4h\"");
  try {
    const double seconds = seconds_of(*text);
    if (seconds < 1 || seconds > kMostSeconds)
      return note_at(node->source(), in_quotes(key) + " must be from 1s to 366d");
    *into = static_cast<std::int64_t>(std::floor(seconds));
  } catch (const std::invalid_argument& error) {
    note_at(node->source(), error.what());
  }
}

void NamedTable::read_list(std::string_view key, std::string_view expected,
                           std::vector<std::string>* into,
                           const std::function<std::string(const std::string& text)>& wrong) {
  const toml::node* const node = find(key);
  if (node == nullptr) return;
  if (!node->is_array())
    return note_at(node->source(), in_quotes(key) + " must be " + std::string(expected));
  for (const toml::node& each : *node->as_array()) {
    const std::string text = each.value_exact<std::string>().value_or("");
    if (const std::string what = wrong(text); !what.empty())
      note_at(each.source(), what);
    else
      into->push_back(text);
  }
}

void NamedTable::note(const std::string& what) { note_at(key_.source(), what); }

void NamedTable::note_unknown_keys() {
  for (const auto& [key, node] : table_) {
    const std::string name(key.str());
    if (lcsm::has_word(known_, name)) continue;
    note_at(key.source(),
            "unknown key " + in_quotes(name) +
                lcsm::did_you_mean(name, known_, "; expected one of " + lcsm::joined(known_)));
  }
}

const toml::node* NamedTable::find(std::string_view key) {
  known_.emplace_back(key);
  return table_.get(key);
}

void NamedTable::note_at(const toml::source_region& place, const std::string& what) {
  errors_.push_back({place.begin.line, place.begin.column, what});
}

ConfigurationFile find_configuration(const fs::path& sweep_file, const fs::path& workspace,
                                     const char* file, const std::string& expected,
                                     const std::string& advice) {
  std::vector<std::string> list;
  for (const fs::path& place : places_of(sweep_file, workspace)) {
    const std::string path = list.emplace_back(place / file);
    try {
      if (fs::exists(path)) return {path, read_toml_file(path)};
    } catch (const std::runtime_error& error) {
      throw Failure(ExitCode::kMissing, error.what());
    }
  }
  throw Failure(ExitCode::kMissing, "expected " + expected + " in one of " + lcsm::joined(list) +
                                        ", got none: " + advice);
}

void read_named_tables(std::string_view text, const std::string& path, const NamedTableWords& words,
                       const std::function<void(NamedTable& table)>& take) {
  const toml::table root = parse(text, path);
  std::vector<SourceError> errors;
  std::vector<std::pair<const toml::key*, const toml::node*>> found;
  for (const auto& [key, node] : root) found.emplace_back(&key, &node);
  std::ranges::sort(found, {}, [](const auto& each) { return each.first->source().begin.line; });
  if (found.empty()) errors.push_back({1, 1, "no " + words.what + ": write " + words.write});
  for (const auto& [key, node] : found) {
    if (!node->is_table()) {
      errors.push_back({key->source().begin.line, key->source().begin.column,
                        "'" + std::string(key->str()) + "' is outside of a " + words.what +
                            ": write [NAME] above it"});
      continue;
    }
    NamedTable table(*key, *node->as_table(), errors);
    take(table);
    table.note_unknown_keys();
  }
  const auto place = [](const SourceError& error) { return std::pair(error.line, error.column); };
  std::ranges::stable_sort(errors, {}, place);
  if (!errors.empty()) throw SourceErrors(path, text, std::move(errors));
}

}  // namespace runner
