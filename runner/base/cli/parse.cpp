#include "runner/base/cli/parse.h"

#include <CLI/CLI.hpp>
#include <cctype>
#include <span>

#include "lcsm/base/nearest.h"
#include "lcsm/base/words.h"

namespace runner {
namespace {

using Words = std::vector<std::string>;

// ----- Our verbs as CLI11's -----

// Makes CLI11's messages name options as ours do.
std::string cli_names(const OptionFacts& facts) {
  return facts.is_argument() ? facts.shown_name() : lcsm::joined(facts.names, ",");
}

void add_option(CLI::App& app, const Verb& verb, const OptionFacts& facts) {
  const auto add = [&](auto target) -> CLI::Option* {
    if constexpr (std::is_same_v<decltype(target), std::monostate>)
      return nullptr;  // --help or --version
    else if constexpr (std::is_same_v<decltype(target), bool*>)
      return app.add_flag(cli_names(facts), *target)->disable_flag_override();
    else
      return app.add_option(cli_names(facts), *target);
  };
  const auto add_word = [&](std::string* target) {
    return app.add_flag_callback(cli_names(facts), [&facts, target] { *target = facts.sets; })
        ->disable_flag_override();
  };
  CLI::Option* const option = facts.sets.empty() ? std::visit(add, facts.target)
                                                 : add_word(std::get<std::string*>(facts.target));
  if (option == nullptr) return;
  if (facts.separator != '\0') option->delimiter(facts.separator);
  if (verb.values_at_once(facts) == 1) option->allow_extra_args(false);
  if (facts.check) option->check(facts.check);
}

// Removes the siblings of the called verb: CLI11 would take an argument with a sibling's name, such
// as the sweep `systems`, for that verb.
void build(CLI::App& app, const Verb& verb, std::span<const std::string> words) {
  if (!verb.version().empty()) app.set_version_flag("--version", verb.version());
  for (const Option& option : verb.options()) add_option(app, verb, option.facts());
  const Verb* const called = words.empty() ? nullptr : verb.find(words.front());
  for (const auto& below : verb.verbs())
    if (called == nullptr || called == below.get())
      build(*app.add_subcommand(below->name()), *below,
            called == nullptr ? words.first(0) : words.subspan(1));
}

// ----- What a command line lacks, or has too much of -----

std::string see_help(const Verb& verb) { return "; see '" + verb.call_name() + " --help'"; }

std::string or_see_help(const std::string& meant, const Verb& verb) {
  return meant.empty() ? see_help(verb) : meant;
}

// Suggests long names only: every short option is a single edit away from every other.
std::string unknown_option(const Verb& verb, std::string_view word) {
  const std::string name(lcsm::take_until(&word, '='));
  Words names;
  for (const Option& option : verb.options())
    for (const std::string& known : option.facts().names)
      if (known.starts_with("--")) names.push_back(known);
  if (lcsm::has_word(names, name))
    return name + " goes after the verb: '" + verb.call_name() + " " + name + " ...'";
  return "unknown option '" + name + "'" + or_see_help(lcsm::did_you_mean(name, names), verb);
}

std::string meant_by_synonym(const Verb& above, const std::string& word) {
  for (const auto& [words, verbs] : above.synonyms())
    if (lcsm::has_word(lcsm::words_of(words), word))
      return "; did you mean " +
             lcsm::joined_of(
                 lcsm::words_of(verbs), [](const std::string& verb) { return "'" + verb + "'"; },
                 " or ") +
             "?";
  return "";
}

std::string unknown_verb(const Verb& above, const std::string& word) {
  Words names;
  for (const auto& verb : above.verbs())
    if (!verb->is_hidden()) names.push_back(verb->name());
  std::string meant = meant_by_synonym(above, word);
  if (meant.empty()) meant = lcsm::did_you_mean(word, names);
  for (const std::string& name : names)
    if (meant.empty() && word.size() > 1 && name.starts_with(word))
      meant = "; did you mean '" + name + "'?";
  return "unknown verb '" + word + "'" + or_see_help(meant, above);
}

std::string unexpected_word(const Verb& verb, const std::string& word) {
  if (word.size() > 1 && word[0] == '-') return unknown_option(verb, word);
  if (!verb.verbs().empty()) return unknown_verb(verb, word);
  return "unexpected word '" + word + "'" + see_help(verb);
}

// "The run" as "the run"; "SQL" stays.
std::string within_sentence(std::string text) {
  const auto lower = [&](std::size_t i) {
    return std::islower(static_cast<unsigned char>(text[i])) != 0;
  };
  if (text.size() > 1 && (text[1] == ' ' || lower(1)))
    text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
  return text;
}

// The error in a command line that CLI11 accepts but we do not; "" if none.
std::string lacking(const CLI::App& app, const Verb& verb) {
  const auto given = [&app](const std::string& name) { return app.count(name) > 0; };
  if (!verb.verbs().empty()) return "no verb given" + see_help(verb);
  for (const Option& option : verb.options()) {
    const OptionFacts& facts = option.facts();
    const std::string name = facts.shown_name();
    if (facts.required && !given(name))
      return "missing " + std::string(facts.is_argument() ? "argument " : "option ") + name + ": " +
             within_sentence(facts.help) + see_help(verb);
    if (!facts.needs.empty() && given(name) && !given(facts.needs))
      return name + " requires " + facts.needs + see_help(verb);
  }
  return "";
}

std::string refused_by_cli(const Verb& verb, const Words& words, const CLI::Error& error) {
  std::string message = error.what();  // of a check: "--jobs: " and what the check says
  const bool mismatch = error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ArgumentMismatch);
  for (const Option& option : verb.options()) {
    const OptionFacts& facts = option.facts();
    int given = 0;
    for (const std::string& word : words) {
      const std::size_t name = word.find('=');
      if (!mismatch || !facts.has_name(word.substr(0, name))) continue;
      ++given;
      if (facts.most_values() == 0 && name != word.npos)
        message = facts.name() + " takes no value";
      else if (facts.most_values() > 0 && &word == &words.back() && name == word.npos)
        message = facts.name() + " needs a value: " + facts.type;
      else if (facts.most_values() == 1 && given == 2)
        message = facts.name() + ": expected it once, got it several times";
    }
  }
  return message + (message.ends_with('?') ? "" : see_help(verb));
}

// ----- Parsing -----

struct Chosen {
  const CLI::App* app;
  const Verb* verb;
};
Chosen innermost(Chosen outer) {
  const auto named = outer.app->get_subcommands();
  if (named.empty()) return outer;
  return innermost({named.back(), outer.verb->find(named.back()->get_name())});
}

}  // namespace

Parsed parse(const Verb& program, const Words& words) {
  using What = Parsed::What;
  CLI::App root;
  build(root, program, words);
  const auto refused = [](const Verb& verb, const std::string& why) {
    return Parsed{What::kRefused, &verb, verb.call_name() + ": " + why};
  };
  try {
    root.parse(Words(words.rbegin(), words.rend()));
    const auto [app, verb] = innermost({&root, &program});
    const std::string why = lacking(*app, *verb);
    return why.empty() ? Parsed{What::kRun, verb} : refused(*verb, why);
  } catch (const CLI::ParseError& error) {
    const Verb* const verb = innermost({&root, &program}).verb;
    Words left = root.remaining(true);
    std::erase(left, "--");
    if (!left.empty() && left.front() == words.front() && !left.front().starts_with('-'))
      return refused(program, unknown_verb(program, left.front()));
    if (dynamic_cast<const CLI::CallForHelp*>(&error) != nullptr) return {What::kHelp, verb};
    if (dynamic_cast<const CLI::CallForVersion*>(&error) != nullptr) return {What::kVersion, verb};
    if (!left.empty()) return refused(*verb, unexpected_word(*verb, left.front()));
    return refused(*verb, refused_by_cli(*verb, words, error));
  }
}

}  // namespace runner
