#include "runner/sweeps/language/case.h"

#include <toml++/toml.h>

#include "lcsm/base/nearest.h"
#include "lcsm/code/code.h"
#include "runner/config/keys/config_keys.h"
#include "runner/config/toml/config_toml.h"
#include "runner/sweeps/language/values.h"

namespace runner {
namespace {

std::string name_of_block(bool sets) { return sets ? "a [[when]]" : "an [[exclude]]"; }

class CaseReader {
 public:
  CaseReader(int source, const lcsm::Catalogue& catalogue, Mistakes& mistakes)
      : source_(source), catalogue_(catalogue), mistakes_(mistakes) {}

  Case read(const toml::table& table, bool sets) {
    Case result{place_of(source_, table.source()), {}, {}};
    for (const auto& [key, node] : table) {
      if (key == "match") {
        read_match(node, result);
      } else if (sets && key == "set") {
        read_set(node, result);
      } else {
        static const std::vector<std::string> both = {"match", "set"}, one = {"match"};
        note(key.source(),
             "unknown key '" + std::string(key.str()) + "' in " + name_of_block(sets) +
                 lcsm::did_you_mean(key.str(), sets ? both : one,
                                    sets ? "; expected match or set" : "; expected match"));
      }
    }
    const bool has_set = table.contains("set"), has_match = table.contains("match");
    if (!has_match)
      note(table.source(), name_of_block(sets) + " needs a match, such as match.model.d = 64");
    if (sets && !has_set) note(table.source(), "a [[when]] needs a set, such as set.seed = 2");
    return result;
  }

 private:
  void note(const toml::source_region& where, const std::string& what) {
    mistakes_.note(place_of(source_, where), what);
  }

  void read_set(const toml::node& node, Case& into) {
    if (!node.is_table())
      return note(node.source(), "'set' must be a table: write set.KEY = VALUE");
    walk_keys(*node.as_table(), source_, mistakes_, [&](int key, const auto&, const auto& value) {
      into.set.push_back(assignment_of(key, value, source_, mistakes_));
    });
    if (node.as_table()->empty()) note(node.source(), "'set' is empty: write set.KEY = VALUE");
  }

  void read_match(const toml::node& node, Case& into) {
    if (!node.is_table())
      return note(node.source(), "'match' must be a table: write match.KEY = VALUE");
    walk_keys(*node.as_table(), source_, mistakes_,
              [&](int key, const auto& name, const auto& value) {
                into.match.push_back(read_condition(key, name, value));
              });
    if (node.as_table()->empty())
      note(node.source(), "'match' is empty and would match every point: write match.KEY = VALUE");
  }

  Condition read_condition(int key, const toml::key& name, const toml::node& node) {
    Condition condition{key, place_of(source_, name.source()), {}, {}, {}};
    if (const toml::table* bounds = node.as_table()) {
      read_bounds(*bounds, condition);
    } else if (const toml::array* list = node.as_array()) {
      if (list->empty())
        note(node.source(), key_name(key) + ": matches no value: the list is empty");
      for (const toml::node& each : *list) add_wanted(each, condition);
    } else {
      add_wanted(node, condition);
    }
    return condition;
  }

  void read_bounds(const toml::table& table, Condition& into) {
    const Kind kind = key_row(into.key).kind;
    if (kind != Kind::kInteger && kind != Kind::kReal)
      return note(table.source(), key_name(into.key) + ": min and max apply to numbers only");
    if (table.empty()) note(table.source(), key_name(into.key) + ": expected min, max or both");
    for (const auto& [key, node] : table) {
      const auto number = node.value<double>();
      if (key != "min" && key != "max")
        note(key.source(), key_name(into.key) +
                               ": expected a value, a list, or { min = ..., max = "
                               "... }, got '" +
                               std::string(key.str()) + "'");
      else if (!number || node.is_boolean())
        note(node.source(),
             key_name(into.key) + ": " + std::string(key.str()) + " must be a number");
      else
        (key == "min" ? into.least : into.most) = *number;
    }
    if (into.least && into.most && *into.least > *into.most)
      note(table.source(), key_name(into.key) + ": min is greater than max, so nothing matches");
  }

  void add_wanted(const toml::node& node, Condition& into) {
    Assignment value = assignment_of(into.key, node, source_, mistakes_);
    if (!value.value) return;
    if (names_models(key_row(into.key).kind)) read_code(value);
    into.values.push_back({*value.value, value.place});
  }

  // A pattern remains a pattern; "1-1-1-0@" is the code without options.
  void read_code(Assignment& text) {
    std::string code = std::get<std::string>(*text.value);
    const bool bare = code.ends_with('@');
    if (bare) text.value = code.substr(0, code.size() - 1);
    const std::vector<std::string> codes = models_named_by(text, catalogue_, mistakes_);
    if (lcsm::is_pattern(code))
      text.value = code;
    else if (!codes.empty())
      text.value = codes.front() + (bare ? "@" : "");
  }

  int source_;
  const lcsm::Catalogue& catalogue_;
  Mistakes& mistakes_;
};

// A pattern without '@' matches a code with any options; "1-1-1-0@" only the code without options.
bool like(const std::string& pattern, const std::string& code) {
  const std::string head = code.substr(0, code.find('@'));
  if (pattern.find('@') == std::string::npos) return lcsm::matches(pattern, head);
  return lcsm::matches(pattern, head == code ? code + "@" : code) || lcsm::matches(pattern, code);
}

std::optional<double> number(const Value& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  if (const auto* real = std::get_if<double>(&value)) return *real;
  return std::nullopt;
}

}  // namespace

Case read_case(const toml::table& table, bool sets, int source, const lcsm::Catalogue& catalogue,
               Mistakes& mistakes) {
  return CaseReader(source, catalogue, mistakes).read(table, sets);
}

bool equals(int key, const Value& wanted, const Value& value) {
  if (!names_models(key_row(key).kind)) return wanted == value;
  return like(std::get<std::string>(wanted), std::get<std::string>(value));
}

bool between(const Condition& condition, const Value& value) {
  const std::optional<double> x = number(value);
  if (!x || (!condition.least && !condition.most)) return false;
  return x >= condition.least.value_or(*x) && x <= condition.most.value_or(*x);
}

}  // namespace runner
