#include "runner/sweeps/language/values.h"

#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>

#include "lcsm/base/nearest.h"
#include "runner/config/keys/config_keys.h"
#include "runner/config/run/system_hint.h"
#include "runner/config/toml/config_toml.h"
#include "runner/systems/system.h"

namespace runner {
namespace {

std::string named(int key) { return key_name(key) + ": "; }

// Rounds values between the ends, so that run ids do not depend on the host's logarithm: to a
// whole number where the key takes one, else to six digits.
double rounded(double value, Kind kind) {
  const double whole = std::round(value);
  if (kind == Kind::kInteger && std::abs(value - whole) <= 1e-9 * std::abs(whole)) return whole;
  std::array<char, 40> text;
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, 6);
  std::from_chars(text.data(), end.ptr, value);
  return value;
}

class RangeReader {
 public:
  RangeReader(int key, int source, Mistakes& mistakes)
      : key_(key), source_(source), mistakes_(mistakes) {}

  std::vector<Assignment> read(const toml::table& table) {
    const Kind kind = key_row(key_).kind;
    if (kind != Kind::kInteger && kind != Kind::kReal)
      return fail(table.source(), "a range needs a numeric key; list the values instead");
    for (const auto& [name, node] : table) take(name, node);
    if (bad_) return {};
    if (ends_ == nullptr || n_ == 0)
      return fail(table.source(),
                  "expected a range such as { log = [1e-4, 1e-2], n = 4 } or "
                  "{ linear = [1, 5], n = 5 }");
    if (!read_ends()) return {};
    return steps(place_of(source_, table.source()));
  }

 private:
  std::vector<Assignment> fail(const toml::source_region& where, const std::string& what) {
    mistakes_.note(place_of(source_, where), named(key_) + what);
    bad_ = true;
    return {};
  }

  void take(const toml::key& name, const toml::node& node) {
    if (name == "log" || name == "linear") {
      if (ends_ != nullptr) fail(name.source(), "a range is log or linear, not both");
      log_ = name == "log";
      ends_ = &node;
    } else if (name == "n") {
      n_ = node.value_exact<std::int64_t>().value_or(0);
      if (n_ < 2 || n_ > kMostValues)
        fail(node.source(), "n: expected an integer from 2 to " + std::to_string(kMostValues));
    } else {
      static const std::vector<std::string> keys = {"log", "linear", "n"};
      fail(name.source(),
           "unknown key '" + std::string(name.str()) + "' in a range" +
               lcsm::did_you_mean(name.str(), keys, "; expected log or linear, and n"));
    }
  }

  bool read_ends() {
    const toml::array* list = ends_->as_array();
    const auto end = [&](std::size_t i) { return (*list)[i].value<double>(); };
    if (list == nullptr || list->size() != 2 || !end(0) || !end(1) || !std::isfinite(*end(0)) ||
        !std::isfinite(*end(1)))
      return fail(ends_->source(), "expected the two ends of a range, such as [1e-4, 1e-2]"), false;
    first_ = *end(0);
    last_ = *end(1);
    if (first_ == last_) return fail(ends_->source(), "the ends of a range must differ"), false;
    if (log_ && (first_ <= 0 || last_ <= 0))
      return fail(ends_->source(), "the ends of a log range must be above 0"), false;
    return true;
  }

  double step(std::int64_t i) const {
    if (i == 0) return first_;
    if (i == n_ - 1) return last_;
    const double share = static_cast<double>(i) / static_cast<double>(n_ - 1);
    return rounded(
        log_ ? first_ * std::pow(last_ / first_, share) : first_ + (last_ - first_) * share,
        key_row(key_).kind);
  }

  std::vector<Assignment> steps(Place place) {
    std::vector<Assignment> values;
    for (std::int64_t i = 0; i < n_; ++i) {
      const double value = step(i);
      const bool whole = key_row(key_).kind == Kind::kInteger;
      if (whole && value != std::floor(value))
        return fail(ends_->source(), "step " + std::to_string(i + 1) + " of " + std::to_string(n_) +
                                         " is " + canonical_number(value) +
                                         ", not an integer: choose other ends or another n");
      try {
        const Given given = whole && std::abs(value) < 1e15
                                ? Given{static_cast<std::int64_t>(value)}
                                : Given{value};
        values.push_back({key_, place, accepted(key_row(key_), given)});
      } catch (const ValueError& error) {
        mistakes_.note(place_of(source_, ends_->source()), error.what());
        return {};
      }
    }
    return values;
  }

  int key_, source_;
  Mistakes& mistakes_;
  bool bad_ = false, log_ = false;
  const toml::node* ends_ = nullptr;
  std::int64_t n_ = 0;
  double first_ = 0, last_ = 0;
};

// A pattern may repeat a value that is already listed; a single value may not.
class ValueList {
 public:
  explicit ValueList(Mistakes& mistakes) : mistakes_(mistakes) {}

  void add(const Assignment& value, bool by_pattern) {
    const auto [had, added] = by_pattern_.emplace(value_text(*value.value), by_pattern);
    if (added)
      values_.push_back(value);
    else if (!by_pattern && !had->second)
      mistakes_.note(value.place, named(value.key) + had->first + " is given twice");
  }

  std::vector<Assignment> values() { return std::move(values_); }

 private:
  Mistakes& mistakes_;
  std::vector<Assignment> values_;
  std::map<std::string, bool> by_pattern_;  // whether a pattern added it, by value
};

// An empty name stands for a point without a system.
std::vector<std::string> systems_named_by(const Assignment& text, Mistakes& mistakes) {
  const std::string& pattern = std::get<std::string>(*text.value);
  if (pattern.empty()) return {pattern};
  std::vector<std::string> names;
  try {
    const std::size_t at = std::min(pattern.find('@'), pattern.size());
    if (lcsm::is_pattern(pattern.substr(0, at))) {
      for (const SystemRow* system : systems_matching(pattern.substr(0, at)))
        names.push_back(as_given(parse_system(std::string(system->name) + pattern.substr(at))));
      if (names.empty())
        mistakes.note(text.place, "model.system: no system matches '" + pattern + "'");
    } else {
      names.push_back(as_given(parse_system(pattern)));
    }
  } catch (const std::invalid_argument& error) {
    mistakes.note(text.place, std::string("model.system: ") + error.what());
  }
  return names;
}

void add_codes(const Assignment& text, const lcsm::Catalogue& catalogue, ValueList& into,
               Mistakes& mistakes) {
  const bool pattern = lcsm::is_pattern(std::get<std::string>(*text.value));
  for (const std::string& code : models_named_by(text, catalogue, mistakes)) {
    Assignment each = text;
    each.value = code;
    into.add(each, pattern);
  }
}

}  // namespace

std::vector<std::string> models_named_by(const Assignment& text, const lcsm::Catalogue& catalogue,
                                         Mistakes& mistakes) {
  const std::string& pattern = std::get<std::string>(*text.value);
  if (key_row(text.key).kind == Kind::kSystem || names_system(pattern, catalogue))
    return systems_named_by(text, mistakes);
  std::vector<std::string> codes;
  try {
    const lcsm::Selection selection = lcsm::select_codes(pattern, catalogue);
    for (const lcsm::Code& code : selection.codes)
      codes.push_back(lcsm::to_string(code, catalogue));
    if (codes.empty())
      mistakes.note(text.place, "model.code: no code matches '" + pattern + "'" +
                                    (selection.left_out.empty()
                                         ? ""
                                         : " with these options; " + selection.left_out.front()));
  } catch (const lcsm::CodeError& error) {
    Place place = text.place;
    if (text.inside >= 0) place.column += static_cast<std::size_t>(text.inside) + error.column - 1;
    mistakes.note(place, "model.code: " + with_system_hint(error.what(), pattern), error.unknown);
  }
  return codes;
}

std::vector<Assignment> read_values(int key, const toml::node& node, int source,
                                    const lcsm::Catalogue& catalogue, Mistakes& mistakes) {
  const Place place = place_of(source, node.source());
  if (const toml::table* range = node.as_table())
    return RangeReader(key, source, mistakes).read(*range);
  const bool code = names_models(key_row(key).kind);
  ValueList values(mistakes);
  const toml::array* list = node.as_array();
  if (list == nullptr && !(code && node.is_string())) {
    const Kind kind = key_row(key).kind;
    const bool number = kind == Kind::kInteger || kind == Kind::kReal;
    mistakes.note(place, named(key) + "expected a list of values, such as [" +
                             (number ? "1, 2" : "\"...\"") +
                             "]; a value that all points share goes in [base]");
    return {};
  }
  const auto take = [&](const toml::node& each) {
    const Assignment value = assignment_of(key, each, source, mistakes);
    if (!value.value) return;
    if (code)
      add_codes(value, catalogue, values, mistakes);
    else
      values.add(value, false);
  };
  if (list == nullptr) take(node);
  if (list != nullptr && list->empty())
    mistakes.note(place, named(key) + "expected at least one value, got none");
  if (list != nullptr && list->size() > static_cast<std::size_t>(kMostValues))
    mistakes.note(place, named(key) + "more than " + std::to_string(kMostValues) + " values");
  else if (list != nullptr)
    for (const toml::node& each : *list) take(each);
  return values.values();
}

}  // namespace runner
