#include "runner/config/config_keys.h"

#include <algorithm>

#include "lcsm/base/nearest.h"
#include "lcsm/formula/formula.h"

namespace runner {
namespace {

std::string_view last_part(std::string_view name) { return name.substr(name.rfind('.') + 1); }

std::string_view table_of(std::string_view name) {
  const std::size_t dot = name.find('.');
  return dot == std::string_view::npos ? "" : name.substr(0, dot);
}

std::string keys_of_table(std::string_view table) {
  std::string list;
  for (const ConfigKey& key : kConfigKeys)
    if (key.name.starts_with(table) && key.name.substr(table.size()).starts_with('.'))
      list += (list.empty() ? "" : ", ") + std::string(last_part(key.name));
  return list;
}

std::string tables_and_bare_keys() {
  std::string list;
  std::string_view before;
  for (const ConfigKey& key : kConfigKeys) {
    const std::string_view table = key.name.substr(0, key.name.find('.'));
    if (table != before) list += (list.empty() ? "" : ", ") + std::string(table);
    before = table;
  }
  return list;
}

// Whether the row of that name lists the key; any key where there is no such row.
template <class Rows>
bool lists(const Rows& rows, std::string_view name, std::string_view key) {
  const auto* row = lcsm::row_named(rows, name);
  return row == nullptr || has_word(row->keys, key);
}

}  // namespace

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (end > 0) words.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

bool has_word(std::string_view list, std::string_view word) {
  const std::vector<std::string> words = words_of(list);
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::string_view decided_by(const ConfigKey& key) {
  return key.only.substr(0, std::min(key.only.find(' '), key.only.size()));
}

bool applies_with(const ConfigKey& key, std::string_view choice) {
  if (key.only == kTask) return lists(kTaskRows, choice, key.name);
  if (key.only == kFamily) return lists(kFamilyRows, choice, key.name);
  if (key.only == kOptimizer) return lists(kOptimizerRows, choice, key.name);
  return key.only.empty() || key.only.ends_with(" = " + std::string(choice));
}

std::string meant_key(std::string_view name) {
  const std::string_view part = last_part(name), table = table_of(name);
  // In half edits: a key of another table costs one more, so the same table wins ties.
  int best = part.empty() ? 0 : 2 * std::max<int>(1, static_cast<int>(part.size()) / 3) + 2;
  std::string_view meant;
  for (const ConfigKey& key : kConfigKeys) {
    const int away =
        2 * lcsm::edit_distance(part, last_part(key.name)) + (table_of(key.name) != table);
    if (away >= best) continue;
    best = away;
    meant = key.name;
  }
  if (!meant.empty()) return "; did you mean '" + std::string(meant) + "'?";
  const std::string keys = keys_of_table(table);
  return keys.empty() ? "; expected one of " + tables_and_bare_keys()
                      : "; " + std::string(table) + " has " + keys;
}

std::string wanted(const ConfigKey& key) {
  const auto range = [&key] {
    return std::string(key.above ? " above " : " from ") + lcsm::number_text(key.least) +
           (key.above ? " and at most " : " to ") + lcsm::number_text(key.most);
  };
  switch (key.kind) {
    case Kind::kInteger:
      return "a whole number" + (key.unit.empty() ? "" : " of " + std::string(key.unit)) + range();
    case Kind::kReal:
      return "a number" + (key.unit.empty() ? "" : " of " + std::string(key.unit)) + range();
    case Kind::kChoice: {
      std::string list;
      for (const std::string& word : words_of(key.choices))
        list += (list.empty() ? "" : ", ") + word;
      return "one of " + list;
    }
    case Kind::kCode:
      return "a code such as 1-9-1-4";
    case Kind::kText:
      break;
  }
  return "a string";
}

}  // namespace runner
