#include "runner/base/cli/option.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <limits>
#include <system_error>

#include "lcsm/base/nearest.h"
#include "lcsm/base/words.h"
#include "results/text/number_text.h"

namespace runner {
namespace {

constexpr int kAnyNumber = 1 << 24;

template <class Number>
ValueCheck number_check(std::string expected, Number least, Number most) {
  return [=](const std::string& text) -> std::string {
    const auto value = results::all_of_it<Number>(text);
    if (value && least <= *value && *value <= most) return "";
    return "expected " + expected + ", got '" + text + "'";
  };
}

template <class Number>
ValueCheck number_check(const std::string& expected) {
  return number_check(expected, std::numeric_limits<Number>::lowest(),
                      std::numeric_limits<Number>::max());
}

// Sets the type and the check that follow from the variable.
struct SetType {
  OptionFacts& facts;

  void operator()(std::monostate) {}
  void operator()(bool*) {}
  void operator()(double*) { set("FLOAT", number_check<double>("a number")); }
  void operator()(int*) { set("INT", number_check<int>("an integer")); }
  void operator()(std::int64_t*) { set("INT", number_check<std::int64_t>("an integer")); }
  template <class Text>
  void operator()(Text*) {
    set("TEXT", {});
  }
  void set(const char* type, ValueCheck check) {
    facts.type = type;
    facts.check = std::move(check);
  }
};

// A default that the help page shows.
struct ValueText {
  std::string operator()(std::monostate) const { return ""; }
  std::string operator()(const std::optional<std::string>* value) const {
    return value->value_or("");
  }
  std::string operator()(const std::vector<std::string>* value) const {
    return lcsm::joined(*value, " ");
  }
  template <class Value>
  std::string operator()(const Value* value) const {
    return fmt::format("{}", *value);
  }
};

}  // namespace

// ----- Facts -----

std::string OptionFacts::name() const {
  return *std::max_element(names.begin(), names.end(), [](const auto& a, const auto& b) {
    return a.starts_with("--") < b.starts_with("--");
  });
}

std::string OptionFacts::shown_name() const {
  std::string shown = name();
  if (is_argument())
    for (char& c : shown) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return shown;
}

bool OptionFacts::has_name(const std::string& word) const { return lcsm::has_word(names, word); }

int OptionFacts::most_values() const {
  if (std::holds_alternative<std::monostate>(target) || std::holds_alternative<bool*>(target) ||
      !sets.empty())
    return 0;
  return std::holds_alternative<std::vector<std::string>*>(target) ? kAnyNumber : 1;
}

// ----- Option -----

Option::Option(const std::string& names, Target target, std::string help) {
  for (std::string_view rest = names; !rest.empty();)
    facts_.names.emplace_back(lcsm::take_until(&rest, ','));
  facts_.target = target;
  facts_.help = std::move(help);
  std::visit(SetType{facts_}, target);
}

Option& Option::choices(const std::vector<Candidate>& values) {
  std::vector<std::string> words;
  for (const Candidate& value : values) words.push_back(value.word);
  facts_.choices = words;
  facts_.check = [words](const std::string& got) -> std::string {
    if (lcsm::has_word(words, got)) return "";
    return "expected one of " + lcsm::joined(words) + ", got '" + got + "'" +
           lcsm::did_you_mean(got, words);
  };
  return completes([values](const std::string&) { return values; });
}

Option& Option::range(int least, int most) {
  return set(&OptionFacts::check,
             number_check(fmt::format("an integer from {} to {}", least, most), least, most));
}

Option& Option::range(double least, double most) {
  return set(&OptionFacts::check,
             number_check(fmt::format("a number from {} to {}", least, most), least, most));
}

Option& Option::positive() {
  using Limits = std::numeric_limits<double>;
  return set(&OptionFacts::check,
             number_check("a positive number", Limits::denorm_min(), Limits::max()));
}

Option& Option::existing_file() {
  facts_.existing_file = true;
  return set(&OptionFacts::check, ValueCheck([](const std::string& path) -> std::string {
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (!std::filesystem::exists(status)) return "no such file: " + path;
    return std::filesystem::is_directory(status) ? "expected a file, got the folder " + path : "";
  }));
}

Option& Option::default_shown() {
  return set(&OptionFacts::shown_default, std::optional(std::visit(ValueText(), facts_.target)));
}

Option& Option::completes(SimpleCompleter completer) {
  return completes(Completer(
      [simple = std::move(completer)](const std::string& prefix, const std::vector<std::string>&) {
        return simple(prefix);
      }));
}

}  // namespace runner
