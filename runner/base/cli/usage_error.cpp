#include "runner/base/cli/usage_error.h"

#include <algorithm>
#include <cctype>
#include <vector>

#include "lcsm/base/nearest.h"

namespace runner {
namespace {

using Words = std::vector<std::string>;

// Long names only: every short option is a single edit away from every other.
Words option_names(const Verb& verb) {
  Words names;
  for (const Option& option : verb.options())
    for (const std::string& name : option.facts().names)
      if (name.starts_with("--")) names.push_back(name);
  return names;
}

std::string see_help(const Verb& verb) { return "; see '" + verb.call_name() + " --help'"; }

std::string unknown_option(const Verb& verb, const std::string& word) {
  const std::string name = word.substr(0, word.find('='));
  const Words names = option_names(verb);
  if (std::find(names.begin(), names.end(), name) != names.end())
    return name + " goes after the verb: '" + verb.call_name() + " " + name + " ...'";
  const std::string meant = lcsm::did_you_mean(name, names);
  return "unknown option '" + name + "'" + (meant.empty() ? see_help(verb) : meant);
}

std::string type_in_words(const std::string& type) {
  if (type == "INT") return "an integer";
  if (type == "FLOAT") return "a number";
  return type == "TEXT" ? "a word" : type;
}

// "--jobs", "CODE"
std::string shown_name(const OptionFacts& option) {
  std::string name = option.name();
  if (option.is_argument())
    for (char& c : name) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return name;
}

// "The run" as "the run"; "SQL" stays.
std::string within_sentence(std::string text) {
  const auto lower = [&](std::size_t i) {
    return std::islower(static_cast<unsigned char>(text[i]));
  };
  if (text.size() > 1 && (text[1] == ' ' || lower(1)))
    text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
  return text;
}

std::string about_option(const Refusal& refusal) {
  using Kind = Refusal::Kind;
  const OptionFacts& option = *refusal.option;
  const std::string name = shown_name(option);
  if (refusal.kind == Kind::kMissing)
    return std::string("missing ") + (option.is_argument() ? "argument " : "option ") + name +
           ": " + within_sentence(option.help);
  if (refusal.kind == Kind::kValues)
    return name + (option.most_values() == 0 ? " takes no value"
                                             : " needs a value: " + type_in_words(option.type));
  if (refusal.kind == Kind::kType)
    return name + ": expected " + type_in_words(option.type) + ", got '" + refusal.got + "'";
  return name + ": " + refusal.text;
}

}  // namespace

std::string usage_error(const Parsed& refused) {
  using Kind = Refusal::Kind;
  const Verb& verb = *refused.verb;
  const Refusal& refusal = refused.refusal;
  const std::string who = verb.call_name() + ": ";
  if (refusal.kind == Kind::kUnknownOption) return who + unknown_option(verb, refusal.got);
  if (refusal.kind == Kind::kUnexpectedWord)
    return who + "unexpected word '" + refusal.got + "'" + see_help(verb);
  if (refusal.kind == Kind::kNoVerb) return who + "no verb given" + see_help(verb);
  const std::string what = refusal.option == nullptr ? refusal.text : about_option(refusal);
  return who + what + (what.ends_with("?") ? "" : see_help(verb));
}

std::string unknown_verb(const Verb& program, const std::string& word) {
  Words names = {"help"};
  for (const auto& verb : program.verbs()) {
    if (verb->name() == word) return "";
    names.push_back(verb->name());
  }
  std::string meant = lcsm::did_you_mean(word, names);
  for (const std::string& name : names)
    if (meant.empty() && word.size() > 1 && name.starts_with(word))
      meant = "; did you mean '" + name + "'?";
  return program.name() + ": unknown verb '" + word + "'" +
         (meant.empty() ? see_help(program) : meant);
}

}  // namespace runner
