#include "runner/base/cli/option.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <type_traits>

namespace runner {
namespace {

constexpr int kAnyNumber = 1 << 24;

// CLI11's name for the type of a value.
std::string type_of(const Target& target) {
  return std::visit(
      [](auto value) -> std::string {
        using Value = std::remove_pointer_t<decltype(value)>;
        if constexpr (std::is_same_v<Value, std::monostate> || std::is_same_v<Value, bool>)
          return "";
        else if constexpr (std::is_arithmetic_v<Value>)
          return std::is_integral_v<Value> ? "INT" : "FLOAT";
        else
          return "TEXT";
      },
      target);
}

std::string value_text(const Target& target) {
  return std::visit(
      [](auto value) -> std::string {
        using Value = std::remove_pointer_t<decltype(value)>;
        if constexpr (std::is_same_v<Value, std::monostate>)
          return "";
        else if constexpr (std::is_same_v<Value, std::optional<std::string>>)
          return value->value_or("");
        else if constexpr (std::is_same_v<Value, std::vector<std::string>>)
          return fmt::format("{}", fmt::join(*value, " "));
        else
          return fmt::format("{}", *value);
      },
      target);
}

std::vector<std::string> split(const std::string& names) {
  std::vector<std::string> all;
  std::istringstream stream(names);
  for (std::string name; std::getline(stream, name, ',');) all.push_back(name);
  return all;
}

}  // namespace

// ----- Facts -----

std::string OptionFacts::name() const {
  return *std::max_element(names.begin(), names.end(), [](const auto& a, const auto& b) {
    return a.starts_with("--") < b.starts_with("--");
  });
}

bool OptionFacts::has_name(const std::string& word) const {
  return std::find(names.begin(), names.end(), word) != names.end();
}

int OptionFacts::most_values() const {
  if (std::holds_alternative<std::monostate>(target) || std::holds_alternative<bool*>(target))
    return 0;
  return std::holds_alternative<std::vector<std::string>*>(target) ? kAnyNumber : 1;
}

// ----- Option -----

Option::Option(const std::string& names, Target target, std::string help) {
  facts_.names = split(names);
  facts_.target = target;
  facts_.help = std::move(help);
  facts_.type = type_of(target);
}

Option& Option::type(std::string name) {
  facts_.type = std::move(name);
  return *this;
}

Option& Option::required(bool required) {
  facts_.required = required;
  return *this;
}

Option& Option::choices(std::vector<Candidate> values) {
  facts_.choices = std::move(values);
  return completes([values = facts_.choices](const std::string&) { return values; });
}

Option& Option::range(int least, int most) {
  facts_.range = {least, most};
  return *this;
}

Option& Option::range(double least, double most) {
  facts_.real_range = {least, most};
  return *this;
}

Option& Option::positive() {
  facts_.positive = true;
  return *this;
}

Option& Option::existing_file() {
  facts_.existing_file = true;
  return *this;
}

Option& Option::separated_by(char separator) {
  facts_.separator = separator;
  return *this;
}

Option& Option::one_at_a_time() {
  facts_.one_at_a_time = true;
  return *this;
}

Option& Option::needs(std::string other) {
  facts_.needs = std::move(other);
  return *this;
}

Option& Option::alone_means(std::string value) {
  facts_.alone = std::move(value);
  return *this;
}

Option& Option::default_shown() {
  facts_.shown_default = value_text(facts_.target);
  return *this;
}

Option& Option::completes(Completer completer) {
  facts_.completer = std::move(completer);
  return *this;
}

Option& Option::completes(SimpleCompleter completer) {
  return completes(Completer(
      [simple = std::move(completer)](const std::string& prefix, const std::vector<std::string>&) {
        return simple(prefix);
      }));
}

}  // namespace runner
