#include "runner/base/cli/parse.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <sstream>

#include "lcsm/base/nearest.h"

namespace runner {
namespace {

using Words = std::vector<std::string>;

// ----- Our verbs as CLI11's -----

Words words_of(const std::vector<Candidate>& candidates) {
  Words words;
  for (const Candidate& candidate : candidates) words.push_back(candidate.word);
  return words;
}

void check_choices(CLI::Option& option, const std::vector<Candidate>& choices, Look look) {
  const Words words = words_of(choices);
  if (look == Look::kPlain) {
    option.check(CLI::IsMember(words));
    return;
  }
  option.check([words](const std::string& got) -> std::string {
    if (std::find(words.begin(), words.end(), got) != words.end()) return "";
    return "expected one of " + CLI::detail::join(words, ", ") + ", got '" + got + "'" +
           lcsm::did_you_mean(got, words);
  });
}

CLI::Option* add_target(CLI::App& app, const OptionFacts& facts) {
  const std::string names = CLI::detail::join(facts.names, ",");
  return std::visit(
      [&](auto target) -> CLI::Option* {
        if constexpr (std::is_same_v<decltype(target), std::monostate>)
          return nullptr;
        else if constexpr (std::is_same_v<decltype(target), bool*>)
          return app.add_flag(names, *target, facts.help);
        else
          return app.add_option(names, *target, facts.help);
      },
      facts.target);
}

void add_option(CLI::App& app, const OptionFacts& facts, Look look) {
  CLI::Option* option = add_target(app, facts);
  if (option == nullptr) return;  // --help or --version
  if (facts.most_values() > 0) option->type_name(facts.type);
  option->required(facts.required);
  if (facts.alone) option->expected(0, 1)->default_str(*facts.alone);
  if (facts.separator != '\0') option->delimiter(facts.separator);
  if (facts.one_at_a_time) option->allow_extra_args(false);
  if (facts.range) option->check(CLI::Range(facts.range->first, facts.range->second));
  if (facts.real_range)
    option->check(CLI::Range(facts.real_range->first, facts.real_range->second));
  if (facts.positive) option->check(CLI::PositiveNumber);
  if (facts.existing_file) option->check(CLI::ExistingFile);
  if (!facts.choices.empty()) check_choices(*option, facts.choices, look);
  if (facts.shown_default) option->capture_default_str();
}

void build(CLI::App& app, const Verb& verb, Look look) {
  if (!verb.footer().empty()) app.footer(verb.footer());  // otherwise the parent verb's
  if (!verb.version().empty()) app.set_version_flag("--version", verb.version());
  if (!verb.verbs().empty()) app.require_subcommand(1);
  for (const Option& option : verb.options()) add_option(app, option.facts(), look);
  for (const Option& option : verb.options())
    if (const OptionFacts& facts = option.facts(); !facts.needs.empty())
      app.get_option(facts.name())->needs(facts.needs);
  for (const auto& below : verb.verbs())
    build(*app.add_subcommand(below->name(), below->help()), *below, look);
}

// ----- What CLI11 refuses -----

// Compares exit codes, since the name of a CLI11 error is not always that of its class.
bool is(const CLI::ParseError& error, CLI::ExitCodes kind) {
  return error.get_exit_code() == static_cast<int>(kind);
}

// The option that an error is about: the longest name in its message (--d is part of --depth).
const OptionFacts* option_of(const Verb& verb, const std::string& message) {
  const OptionFacts* found = nullptr;
  std::size_t longest = 0;
  for (const Option& option : verb.options()) {
    const std::string name = option.facts().name();
    if (name.size() > longest && message.find(name) != std::string::npos) {
      found = &option.facts();
      longest = name.size();
    }
  }
  return found;
}

// Removes the option's name from a check's message, and rewrites CLI::Range's message in our style.
std::string refused_value(const OptionFacts& option, std::string message) {
  const std::string start = option.name() + ": ", value = "Value ", range = " not in range ";
  if (message.starts_with(start)) message.erase(0, start.size());
  const std::size_t at = message.find(range);
  if (!message.starts_with(value) || at == std::string::npos) return message;
  const std::string got = ", got '" + message.substr(value.size(), at - value.size()) + "'";
  if (option.positive) return "expected a positive number" + got;
  return std::string(option.range ? "expected an integer from " : "expected a number from ") +
         message.substr(at + range.size()) + got;
}

Refusal refusal_of(const CLI::App& app, const Verb& program, const Verb& verb,
                   const CLI::ParseError& error) {
  using Kind = Refusal::Kind;
  const Words left = app.remaining(true);
  for (const std::string& word : left)
    if (word.size() > 1 && word[0] == '-' && word != "--")
      return {.kind = Kind::kUnknownOption, .got = word};
  if (!left.empty() && is(error, CLI::ExitCodes::ExtrasError))
    return {.kind = Kind::kUnexpectedWord, .got = left.front()};
  const std::string message = error.what();
  const OptionFacts* option = option_of(verb, message);
  if (option == nullptr && &verb == &program) return {.kind = Kind::kNoVerb};
  if (option == nullptr) return {.text = message};
  if (is(error, CLI::ExitCodes::RequiredError)) return {.kind = Kind::kMissing, .option = option};
  if (is(error, CLI::ExitCodes::ArgumentMismatch)) return {.kind = Kind::kValues, .option = option};
  if (is(error, CLI::ExitCodes::ConversionError)) {
    const std::size_t equals = message.find(" = ");
    return {.kind = Kind::kType,
            .option = option,
            .got = equals == std::string::npos ? "" : message.substr(equals + 3)};
  }
  return {.option = option, .text = refused_value(*option, message)};
}

Parsed::What what_of(const CLI::ParseError& error) {
  if (dynamic_cast<const CLI::CallForHelp*>(&error) != nullptr) return Parsed::What::kHelp;
  if (dynamic_cast<const CLI::CallForVersion*>(&error) != nullptr) return Parsed::What::kVersion;
  return Parsed::What::kRefused;
}

std::string plain_text(const CLI::App& app, const CLI::ParseError& error) {
  std::ostringstream out, err;
  app.exit(error, out, err);
  return out.str() + err.str();
}

const Verb& chosen(const CLI::App& app, const Verb& verb) {
  const auto named = app.get_subcommands();
  return named.empty() ? verb : chosen(*named.back(), *verb.find(named.back()->get_name()));
}

}  // namespace

Parsed parse(const Verb& program, const Words& words, Look look) {
  CLI::App app(program.help(), program.name());
  build(app, program, look);
  Parsed parsed;
  try {
    app.parse(Words(words.rbegin(), words.rend()));
    parsed.verb = &chosen(app, program);
  } catch (const CLI::ParseError& error) {
    parsed.verb = &chosen(app, program);
    parsed.what = what_of(error);
    if (parsed.what == Parsed::What::kRefused)
      parsed.refusal = refusal_of(app, program, *parsed.verb, error);
    if (look == Look::kPlain) parsed.plain = plain_text(app, error);
  }
  return parsed;
}

}  // namespace runner
