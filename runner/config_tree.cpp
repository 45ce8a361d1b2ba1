#include "runner/config_tree.h"

#include <toml++/toml.h>

#include <algorithm>
#include <array>

#include "lcsm/nearest.h"
#include "runner/oscillation_file.h"

namespace runner {
namespace {

constexpr std::string_view kOscillation = "oscillation";

Given given_by(const toml::node& node) {
  if (const auto flag = node.value_exact<bool>()) return {*flag};
  if (const auto whole = node.value_exact<std::int64_t>()) return {*whole};
  if (const auto real = node.value_exact<double>()) return {*real};
  if (auto text = node.value_exact<std::string>()) return {std::move(*text)};
  return {{}, node.is_table() ? "a table" : node.is_array() ? "a list" : "a date or time"};
}

Given given_by(std::string_view text, const ConfigKey& key) {
  const bool number = key.kind == Kind::kInteger || key.kind == Kind::kReal;
  const bool quoted = text.starts_with('"') || text.starts_with('\'');
  if (number || quoted) {
    try {
      const toml::table table = toml::parse("x = " + std::string(text));
      if (table.size() == 1) return given_by(*table.get("x"));
    } catch (const toml::parse_error&) {
      // no TOML value: a text
    }
  }
  return {std::string(text)};
}

bool is_table_of_keys(std::string_view name) {
  return std::any_of(kConfigKeys.begin(), kConfigKeys.end(), [&](const ConfigKey& key) {
    return key.name.starts_with(name) && key.name.substr(name.size()).starts_with('.');
  });
}

std::string unknown_table(std::string_view name) {
  std::vector<std::string> tables = {std::string(kOscillation)};
  for (const ConfigKey& key : kConfigKeys)
    if (key.name.find('.') != std::string_view::npos)
      tables.emplace_back(key.name.substr(0, key.name.find('.')));
  const std::string hint = lcsm::did_you_mean(name, tables);
  return "there is no table '" + std::string(name) + "'" + (hint.empty() ? meant_key(name) : hint);
}

// A plain text on one line opens behind one quote; escapes and long quotes are not followed.
int inside_of(const toml::node& node) {
  const toml::source_region& region = node.source();
  const auto text = node.value_exact<std::string>();
  const bool plain = text && region.begin.line == region.end.line &&
                     region.end.column - region.begin.column == text->size() + 2;
  return plain ? 1 : -1;
}

void assign(Assignment assignment, const Given& given, ConfigTree& into, Mistakes& mistakes) {
  try {
    assignment.value = accepted(kConfigKeys[static_cast<std::size_t>(assignment.key)], given);
  } catch (const ValueError& error) {
    mistakes.note(assignment.place, error.what());
  }
  into.assignments.push_back(std::move(assignment));
}

class TreeReader {
 public:
  TreeReader(int source, ConfigTree& into, Mistakes& mistakes)
      : source_(source), into_(into), mistakes_(mistakes) {}

  void walk(const toml::table& table, const std::string& prefix) {
    for (const auto& [key, node] : table) {
      const std::string name = prefix + std::string(key.str());
      if (name == kOscillation) continue;
      if (const int row = key_index(name); row >= 0)
        take(row, node);
      else if (is_table_of_keys(name))
        enter(name, node);
      else
        note(key.source(), node.is_table() && prefix.empty()
                               ? unknown_table(name)
                               : "there is no key '" + name + "'" + meant_key(name));
    }
  }

  void note(const toml::source_region& region, const std::string& what) {
    mistakes_.note(place(region), what);
  }

 private:
  Place place(const toml::source_region& region) const {
    return {source_, region.begin.line, region.begin.column};
  }

  void take(int row, const toml::node& node) {
    assign({row, place(node.source()), {}, inside_of(node)}, given_by(node), into_, mistakes_);
  }

  void enter(const std::string& name, const toml::node& node) {
    if (node.is_table()) return walk(*node.as_table(), name + ".");
    note(node.source(),
         "'" + name + "' is a table: write [" + name + "], or " + name + ".KEY = ...");
  }

  int source_;
  ConfigTree& into_;
  Mistakes& mistakes_;
};

void read_own_oscillations(std::string_view text, const std::string& name, int source,
                           ConfigTree& into, Mistakes& mistakes) {
  try {
    for (lcsm::Oscillation& own : parse_oscillations(text, name)) {
      const std::size_t line = std::stoul(own.origin.substr(own.origin.rfind(':') + 1));
      into.oscillations.push_back({std::move(own), {source, line, 1}});
    }
  } catch (const SourceErrors& errors) {
    for (const SourceError& error : errors.errors())
      mistakes.note({source, error.line, error.column}, error.what);
  }
}

}  // namespace

void read_tree(std::string_view text, const std::string& name, ConfigTree& into,
               Mistakes& mistakes) {
  const int source = mistakes.add_source(name, text);
  TreeReader reader(source, into, mistakes);
  try {
    const toml::table root = toml::parse(text, name);
    reader.walk(root, "");
    if (root.contains(kOscillation)) read_own_oscillations(text, name, source, into, mistakes);
  } catch (const toml::parse_error& error) {
    reader.note(error.source(), std::string(error.description()));
  }
}

void read_setting(const std::string& word, ConfigTree& into, Mistakes& mistakes) {
  const int source = mistakes.add_source(kSetOption, word);
  const std::size_t equals = word.find('=');
  if (equals == std::string::npos)
    return mistakes.note({source, 1, 1},
                         "expected KEY=VALUE, such as optim.lr=1e-3, got '" + word + "'");
  const std::string name = word.substr(0, equals);
  const int row = key_index(name);
  if (row < 0)
    return mistakes.note({source, 1, 1}, "there is no key '" + name + "'" + meant_key(name));
  const ConfigKey& key = kConfigKeys[static_cast<std::size_t>(row)];
  const std::string_view value = std::string_view(word).substr(equals + 1);
  const bool quoted = value.starts_with('"') || value.starts_with('\'');
  assign({row, {source, 1, equals + 2}, {}, quoted ? 1 : 0}, given_by(value, key), into, mistakes);
}

}  // namespace runner
