#include "runner/front/completion.h"

#include <algorithm>
#include <map>
#include <set>

#include "lcsm/base/nearest.h"

namespace runner {
namespace {

using Words = std::vector<std::string>;

// With the option's name: the address of an option that is gone may come back as another one.
struct Registered {
  std::string name;
  Completer completer;
};

std::map<const CLI::Option*, Registered>& completers() {
  static std::map<const CLI::Option*, Registered> table;
  return table;
}

const CLI::Option* option_named(const CLI::App& app, const std::string& word) {
  for (const CLI::Option* option : app.get_options({}))
    if (option->nonpositional() && option->check_name(word)) return option;
  return nullptr;
}

// How far the finished words have led.
struct Place {
  const CLI::App* app = nullptr;
  const CLI::Option* waiting = nullptr;  // an option whose value comes next
  std::set<const CLI::Option*> used;
  Words before;  // from the verb on
  int positionals = 0;
  bool only_positionals = false;  // after "--"
};

// Takes an option and, of its values, as many as it can have.
std::size_t take_option(Place& place, const Words& words, std::size_t at) {
  const std::size_t equals = words[at].find('=');
  const CLI::Option* option = option_named(*place.app, words[at].substr(0, equals));
  if (option == nullptr) return at + 1;
  place.used.insert(option);
  if (equals != std::string::npos) return at + 1;
  int room = option->get_items_expected_max();
  for (++at; at < words.size() && room > 0 && !words[at].starts_with("-"); --room) ++at;
  if (at == words.size() && room > 0) place.waiting = option;
  return at;
}

Place walk(const CLI::App& root, const Words& words) {
  Place place;
  place.app = &root;
  for (std::size_t at = 0; at < words.size();) {
    const std::string& word = words[at];
    if (word == "--") {
      place.only_positionals = true;
    } else if (word.starts_with("-") && !place.only_positionals) {
      at = take_option(place, words, at);
      continue;
    } else if (const auto verbs = place.app->get_subcommands(
                   [&word](const CLI::App* verb) { return verb->get_name() == word; });
               !verbs.empty()) {
      place.app = verbs.front();
      place.before.assign(words.begin() + static_cast<std::ptrdiff_t>(at), words.end());
    } else {
      ++place.positionals;
    }
    ++at;
  }
  return place;
}

Completion values_of(const CLI::Option& option, const std::string& prefix, const Words& before) {
  const auto found = completers().find(&option);
  if (found != completers().end() && found->second.name == option.get_name())
    return {.candidates = found->second.completer(prefix, before)};
  const std::string type = option.get_type_name();
  const auto says = [&type](const char* word) { return type.find(word) != std::string::npos; };
  return {.candidates = {}, .files = says("FILE") || says("PATH") || says("DIR")};
}

std::vector<Candidate> options_of(const Place& place) {
  std::vector<Candidate> candidates;
  for (const CLI::Option* option : place.app->get_options({})) {
    if (!option->nonpositional() || option->get_group().empty()) continue;
    if (place.used.contains(option) && option->get_items_expected_max() <= 1) continue;
    for (const std::string& name : option->get_lnames())
      candidates.push_back({"--" + name, option->get_description()});
    if (option->get_lnames().empty())
      candidates.push_back({"-" + option->get_snames().front(), option->get_description()});
  }
  return candidates;
}

std::vector<Candidate> verbs_of(const CLI::App& app) {
  std::vector<Candidate> candidates;
  for (const CLI::App* verb : app.get_subcommands({}))
    if (!verb->get_group().empty())
      candidates.push_back({verb->get_name(), verb->get_description()});
  if (!candidates.empty()) candidates.push_back({"help", "Explain a verb"});
  return candidates;
}

// The positional that comes next; the last one when it takes several.
const CLI::Option* next_positional(const Place& place) {
  int passed = 0;
  for (const CLI::Option* option : place.app->get_options({})) {
    if (option->nonpositional()) continue;
    passed += option->get_items_expected_max();
    if (place.positionals < passed) return option;
  }
  return nullptr;
}

Completion at_place(const Place& place, const std::string& prefix) {
  if (place.waiting != nullptr && !prefix.starts_with("-"))
    return values_of(*place.waiting, prefix, place.before);
  if (prefix.starts_with("-") && !place.only_positionals) {
    const std::size_t equals = prefix.find('=');
    if (equals == std::string::npos) return {.candidates = options_of(place)};
    const std::string name = prefix.substr(0, equals);
    const CLI::Option* option = option_named(*place.app, name);
    if (option == nullptr) return {};
    Completion answer = values_of(*option, prefix.substr(equals + 1), place.before);
    for (Candidate& candidate : answer.candidates) candidate.word = name + "=" + candidate.word;
    return answer;
  }
  std::vector<Candidate> verbs = verbs_of(*place.app);
  if (!verbs.empty()) return {.candidates = std::move(verbs)};
  if (const CLI::Option* positional = next_positional(place))
    return values_of(*positional, prefix, place.before);
  return {.candidates = options_of(place)};
}

}  // namespace

void complete_with(CLI::Option* option, Completer completer) {
  completers()[option] = {option->get_name(), std::move(completer)};
}

void complete_with(CLI::Option* option, SimpleCompleter completer) {
  complete_with(option,
                Completer([simple = std::move(completer)](const std::string& prefix, const Words&) {
                  return simple(prefix);
                }));
}

CLI::Option* one_of(CLI::Option* option, std::vector<Candidate> values) {
  complete_with(option, SimpleCompleter([values](const std::string&) { return values; }));
  Words names;
  for (const Candidate& value : values) names.push_back(value.word);
  return option->check([names](const std::string& got) -> std::string {
    if (std::find(names.begin(), names.end(), got) != names.end()) return "";
    return "expected one of " + CLI::detail::join(names, ", ") + ", got '" + got + "'" +
           lcsm::did_you_mean(got, names);
  });
}

Completion complete(const CLI::App& app, Words words) {
  const std::string prefix = words.empty() ? "" : words.back();
  if (!words.empty()) words.pop_back();
  const bool asks_help = !words.empty() && words.front() == "help";
  if (asks_help) words.erase(words.begin());
  Completion answer;
  if (!asks_help || words.empty()) answer = at_place(walk(app, words), prefix);
  std::erase_if(answer.candidates,
                [&prefix](const Candidate& c) { return !c.word.starts_with(prefix); });
  return answer;
}

}  // namespace runner
