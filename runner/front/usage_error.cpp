#include "runner/front/usage_error.h"

#include <algorithm>
#include <vector>

#include "lcsm/base/nearest.h"
#include "runner/front/help.h"

namespace runner {
namespace {

// By number: the name of an error is not always that of its class.
bool is(const CLI::ParseError& error, CLI::ExitCodes kind) {
  return error.get_exit_code() == static_cast<int>(kind);
}

const CLI::App& parsed_verb(const CLI::App& app) {
  const auto verbs = app.get_subcommands();
  return verbs.empty() ? app : *verbs.back();
}

// Only the long ones: every short one is a single edit away from every other.
std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options({}))
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

std::string see_help(const CLI::App& verb) { return "; see '" + call_name(verb) + " --help'"; }

bool looks_like_option(const std::string& word) {
  return word.size() > 1 && word[0] == '-' && word != "--";
}

// The first word that no option and no positional took.
std::string left_over(const CLI::App& verb, const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    if (!looks_like_option(word)) continue;
    const std::string name = word.substr(0, word.find('='));
    const std::vector<std::string> names = option_names(verb);
    if (std::find(names.begin(), names.end(), name) != names.end())
      return name + " stands behind the verb: '" + call_name(verb) + " " + name + " ...'";
    const std::string meant = lcsm::did_you_mean(name, names);
    return "unknown option '" + name + "'" + (meant.empty() ? see_help(verb) : meant);
  }
  return "unexpected word '" + words.front() + "'" + see_help(verb);
}

std::string type_in_words(const std::string& type) {
  if (type.starts_with("INT")) return "a whole number";
  if (type.starts_with("UINT")) return "a whole number, 0 or more";
  if (type.starts_with("FLOAT")) return "a number";
  return type.starts_with("TEXT") ? "a word" : type.substr(0, type.find(':'));
}

// The option that a ParseError speaks of: its message holds the option's longest name.
const CLI::Option* option_of(const CLI::App& verb, const std::string& message) {
  const CLI::Option* found = nullptr;
  std::size_t longest = 0;
  for (const CLI::Option* option : verb.get_options({})) {
    const std::string name = option->get_name();
    if (name.size() > longest && message.find(name) != std::string::npos) {
      found = option;
      longest = name.size();
    }
  }
  return found;
}

std::string shown_name(const CLI::Option& option) {
  if (!option.get_lnames().empty()) return "--" + option.get_lnames().front();
  if (!option.get_snames().empty()) return "-" + option.get_snames().front();
  std::string name = option.get_name(true);
  for (char& c : name) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return name;
}

// What a validator says, without the option's name in front; CLI::Range in this program's order.
std::string refused_value(const CLI::Option& option, std::string message) {
  const std::string start = option.get_name() + ": ", value = "Value ", range = " not in range ";
  if (message.starts_with(start)) message.erase(0, start.size());
  const std::size_t at = message.find(range);
  if (!message.starts_with(value) || at == std::string::npos) return message;
  return "expected a value in the range " + message.substr(at + range.size()) + ", got '" +
         message.substr(value.size(), at - value.size()) + "'";
}

std::string about_option(const CLI::Option& option, const CLI::ParseError& error) {
  const std::string message = error.what(), name = shown_name(option);
  if (is(error, CLI::ExitCodes::RequiredError))
    return name + " is missing (" + option.get_description() + ")";
  if (is(error, CLI::ExitCodes::ArgumentMismatch)) {
    const bool none = option.get_items_expected_max() == 0;
    return name +
           (none ? " takes no value" : " needs a value: " + type_in_words(option.get_type_name()));
  }
  if (is(error, CLI::ExitCodes::ConversionError)) {
    const std::size_t equals = message.find(" = ");
    const std::string got = equals == std::string::npos ? "" : message.substr(equals + 3);
    return name + ": expected " + type_in_words(option.get_type_name()) + ", got '" + got + "'";
  }
  return name + ": " + refused_value(option, message);
}

}  // namespace

std::string usage_error(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App& verb = parsed_verb(app);
  const std::string who = call_name(verb) + ": ";
  const auto words = app.remaining(true);
  const bool unknown_option = std::any_of(words.begin(), words.end(), looks_like_option);
  if (!words.empty() && (unknown_option || is(error, CLI::ExitCodes::ExtrasError)))
    return who + left_over(verb, words);
  const CLI::Option* option = option_of(verb, error.what());
  if (option == nullptr && &verb == &app) return who + "no verb given" + see_help(verb);
  const std::string what = option == nullptr ? error.what() : about_option(*option, error);
  return who + what + (what.ends_with("?") ? "" : see_help(verb));
}

std::string unknown_verb(const CLI::App& app, const std::string& word) {
  std::vector<std::string> names = {"help"};
  for (const CLI::App* verb : app.get_subcommands({})) {
    if (verb->get_name() == word) return "";
    names.push_back(verb->get_name());
  }
  std::string meant = lcsm::did_you_mean(word, names);
  for (const std::string& name : names)
    if (meant.empty() && word.size() > 1 && name.starts_with(word))
      meant = "; did you mean '" + name + "'?";
  return app.get_name() + ": unknown verb '" + word + "'" + (meant.empty() ? see_help(app) : meant);
}

}  // namespace runner
