#include "runner/config/config_toml.h"

#include <toml++/toml.h>

#include <algorithm>

#include "lcsm/base/nearest.h"

namespace runner {
namespace {

bool is_table_of_keys(std::string_view name) {
  return std::any_of(kConfigKeys.begin(), kConfigKeys.end(), [&](const ConfigKey& key) {
    return key.name.starts_with(name) && key.name.substr(name.size()).starts_with('.');
  });
}

std::string unknown_table(std::string_view name, const std::vector<std::string>& skipped) {
  std::vector<std::string> tables = skipped;
  for (const ConfigKey& key : kConfigKeys)
    if (key.name.find('.') != std::string_view::npos)
      tables.emplace_back(key.name.substr(0, key.name.find('.')));
  const std::string hint = lcsm::did_you_mean(name, tables);
  return "unknown table '" + std::string(name) + "'" + (hint.empty() ? meant_key(name) : hint);
}

class KeyWalker {
 public:
  KeyWalker(int source, Mistakes& mistakes, const TakeKey& take, std::string_view skipped)
      : source_(source), mistakes_(mistakes), take_(take), skipped_(words_of(skipped)) {}

  void walk(const toml::table& table, const std::string& prefix) {
    for (const auto& [key, node] : table) {
      const std::string name = prefix + std::string(key.str());
      if (std::find(skipped_.begin(), skipped_.end(), name) != skipped_.end()) continue;
      if (const int row = key_index(name); row >= 0)
        take_(row, key, node);
      else if (is_table_of_keys(name))
        enter(name, node);
      else
        note(key.source(), node.is_table() && prefix.empty()
                               ? unknown_table(name, skipped_)
                               : "unknown key '" + name + "'" + meant_key(name));
    }
  }

 private:
  void note(const toml::source_region& region, const std::string& what) {
    mistakes_.note(place_of(source_, region), what);
  }

  void enter(const std::string& name, const toml::node& node) {
    if (node.is_table()) return walk(*node.as_table(), name + ".");
    note(node.source(), "'" + name + "' must be a table: write " + name + ".KEY = ...");
  }

  int source_;
  Mistakes& mistakes_;
  const TakeKey& take_;
  std::vector<std::string> skipped_;
};

}  // namespace

Given given_by(const toml::node& node) {
  if (const auto flag = node.value_exact<bool>()) return {*flag};
  if (const auto whole = node.value_exact<std::int64_t>()) return {*whole};
  if (const auto real = node.value_exact<double>()) return {*real};
  if (auto text = node.value_exact<std::string>()) return {std::move(*text)};
  return {{}, node.is_table() ? "a table" : node.is_array() ? "a list" : "a date or time"};
}

// A plain string on one line starts after one quote; escapes and multi-line quotes are not handled.
int inside_of(const toml::node& node) {
  const toml::source_region& region = node.source();
  const auto text = node.value_exact<std::string>();
  const bool plain = text && region.begin.line == region.end.line &&
                     region.end.column - region.begin.column == text->size() + 2;
  return plain ? 1 : -1;
}

Place place_of(int source, const toml::source_region& region) {
  return {source, region.begin.line, region.begin.column};
}

Assignment assignment_of(int key, const toml::node& node, int source, Mistakes& mistakes) {
  Assignment assignment{key, place_of(source, node.source()), {}, inside_of(node)};
  try {
    assignment.value = accepted(kConfigKeys[static_cast<std::size_t>(key)], given_by(node));
  } catch (const ValueError& error) {
    mistakes.note(assignment.place, error.what());
  }
  return assignment;
}

void walk_keys(const toml::table& table, int source, Mistakes& mistakes, const TakeKey& take,
               std::string_view skipped) {
  KeyWalker(source, mistakes, take, skipped).walk(table, "");
}

}  // namespace runner
