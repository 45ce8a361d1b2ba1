#include "runner/sweeps/language/view_block.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "lcsm/base/nearest.h"
#include "lcsm/base/words.h"
#include "runner/config/toml/config_toml.h"
#include "runner/sweeps/language/result_names.h"

namespace runner {
namespace {

// As results.db has it; none of a table, a list or a date.
std::optional<std::string> node_text(const toml::node& node) {
  if (const auto flag = node.value_exact<bool>()) return *flag ? "1" : "0";
  if (const auto whole = node.value_exact<std::int64_t>()) return std::to_string(*whole);
  if (const auto real = node.value_exact<double>()) return fmt::format("{}", *real);
  return node.value_exact<std::string>();
}

// "[64, 128]"; none if an element is neither a number nor a text.
std::optional<std::string> list_text(const toml::array& list) {
  std::vector<std::string> texts;
  for (const toml::node& node : list) texts.push_back(node_text(node).value_or(""));
  if (texts.empty() || lcsm::has_word(texts, "")) return std::nullopt;
  return "[" + lcsm::joined(texts) + "]";
}

using Values = std::vector<std::pair<std::string, std::optional<std::string>>>;  // by key

void flatten(const toml::table& table, const std::string& prefix, Values* out) {
  for (const auto& [key, node] : table) {
    const std::string name = prefix + std::string(key.str());
    if (node.is_table())
      flatten(*node.as_table(), name + ".", out);
    else
      out->emplace_back(name, node.is_array() ? list_text(*node.as_array()) : node_text(node));
  }
}

}  // namespace

ViewBlock::ViewBlock(std::string_view kind, const toml::table& table, int source,
                     Mistakes& mistakes)
    : kind_(kind), table_(table), source_(source), mistakes_(mistakes) {}

const toml::node* ViewBlock::get(std::string_view key) {
  known_.emplace_back(key);
  return table_.get(key);
}

void ViewBlock::note(const toml::source_region& region, const std::string& what) {
  mistakes_.note(place_of(source_, region), what);
}

void ViewBlock::note(std::string_view key, const std::string& what) {
  const toml::node* node = table_.get(key);
  note(node != nullptr ? node->source() : table_.source(), what);
}

void ViewBlock::check_name(const toml::node& node, const std::string& name, Check check) {
  if (check == nullptr) return;
  if (const std::string wrong = check(name); !wrong.empty()) note(node.source(), wrong);
}

std::string ViewBlock::text(std::string_view key, Check check) {
  const toml::node* node = get(key);
  if (node == nullptr) return "";
  const auto text = node->value_exact<std::string>();
  if (!text || text->empty())
    note(node->source(), fmt::format("'{}' must be a string in quotes", key));
  else
    check_name(*node, *text, check);
  return text.value_or("");
}

std::vector<std::string> ViewBlock::names_of(const toml::node& node, const std::string& key,
                                             Check check) {
  std::vector<std::string> names;
  const auto add = [&](const toml::node& one) {
    const auto text = one.value_exact<std::string>();
    if (!text || text->empty())
      note(one.source(), "'" + key + "' must be a string in quotes, or a list of them");
    else if (std::find(names.begin(), names.end(), *text) != names.end())
      note(one.source(), "'" + *text + "' is given twice in '" + key + "'");
    else
      check_name(one, names.emplace_back(*text), check);
  };
  if (!node.is_array())
    add(node);
  else
    for (const toml::node& one : *node.as_array()) add(one);
  return names;
}

std::vector<std::string> ViewBlock::names(std::string_view key, Check check) {
  const toml::node* node = get(key);
  return node == nullptr ? std::vector<std::string>() : names_of(*node, std::string(key), check);
}

bool ViewBlock::flag(std::string_view key, bool usual) {
  const toml::node* node = get(key);
  if (node == nullptr) return usual;
  const auto flag = node->value_exact<bool>();
  if (!flag) note(node->source(), fmt::format("'{}' must be true or false", key));
  return flag.value_or(usual);
}

int ViewBlock::whole(std::string_view key, int least, int most, int usual) {
  const toml::node* node = get(key);
  if (node == nullptr) return usual;
  const auto value = node->value_exact<std::int64_t>();
  if (value && *value >= least && *value <= most) return static_cast<int>(*value);
  note(node->source(), fmt::format("'{}' must be an integer from {} to {}", key, least, most));
  return usual;
}

double ViewBlock::share(std::string_view key) {
  const toml::node* node = get(key);
  if (node == nullptr) return 0;
  const auto value = node->value<double>();
  if (value && *value >= 0 && *value <= 1) return *value;
  note(node->source(), fmt::format("'{}' must be a number from 0 to 1", key));
  return 0;
}

void ViewBlock::select(std::vector<std::string>* tuned, std::string* by) {
  const toml::node* node = get("select");
  if (node == nullptr) return;
  if (!node->is_table())
    return note(
        node->source(),
        "'select' must be a table: write select = { best = \"optim.lr\", by = \"valid.ppl\" }");
  ViewBlock inside("select", *node->as_table(), source_, mistakes_);
  inside.require("best", "\"optim.lr\"");
  *tuned = inside.names("best", wrong_tuned);
  *by = inside.text("by", wrong_metric);
  if (by->starts_with("test."))
    inside.note("by", "expected a validation metric, got '" + *by +
                          "': selecting by a test metric would bias it");
  inside.finish();
}

std::vector<results::Condition> ViewBlock::where() {
  const toml::node* node = get("where");
  std::vector<results::Condition> conditions;
  Values values;
  if (node == nullptr) return conditions;
  if (!node->is_table())
    note(node->source(), "'where' must be a table: write where.task.length = 64");
  else
    flatten(*node->as_table(), "", &values);
  for (const auto& [key, value] : values)
    if (const std::string wrong = wrong_parameter(key); !wrong.empty())
      note("where", wrong);
    else if (value)
      conditions.push_back({key, *value, true});
    else
      note("where",
           "expected a number, a string, true, false or a list of these for '" + key + "'");
  return conditions;
}

void ViewBlock::require(std::string_view key, std::string_view such_as) {
  if (table_.get(key) == nullptr)
    note(table_.source(), fmt::format("a {} needs '{}': add {} = {}", kind_, key, key, such_as));
}

void ViewBlock::finish() {
  for (const auto& [key, node] : table_) {
    const std::string name(key.str());
    if (lcsm::has_word(known_, name)) continue;
    note(key.source(),
         fmt::format("unknown key '{}' in a {}", name, kind_) +
             lcsm::did_you_mean(name, known_, "; expected one of " + lcsm::joined(known_)));
  }
}

}  // namespace runner
