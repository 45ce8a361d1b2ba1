#include "runner/base/cli/completion.h"

#include <set>

namespace runner {
namespace {

using Words = std::vector<std::string>;

const OptionFacts* option_named(const Verb& verb, const std::string& word) {
  for (const Option& option : verb.options())
    if (option.facts().has_name(word)) return &option.facts();
  return nullptr;
}

// The verb that the finished words name, with its parents' words.
struct Place {
  const Verb* verb = nullptr;
  const OptionFacts* waiting = nullptr;  // an option that still expects its value
  std::set<const OptionFacts*> used;
  Words before;  // the words after the verb
  int arguments = 0;
  bool only_arguments = false;  // after "--"
};

// Consumes an option and as many values as it can have.
std::size_t take_option(Place& place, const Words& words, std::size_t at) {
  const std::size_t equals = words[at].find('=');
  const OptionFacts* option = option_named(*place.verb, words[at].substr(0, equals));
  if (option == nullptr) return at + 1;
  place.used.insert(option);
  if (equals != std::string::npos) return at + 1;
  int room = place.verb->values_at_once(*option);
  for (++at; at < words.size() && room > 0 && !words[at].starts_with("-"); --room) ++at;
  if (at == words.size() && room > 0) place.waiting = option;
  return at;
}

Place walk(const Verb& program, const Words& words) {
  Place place;
  place.verb = &program;
  for (std::size_t at = 0; at < words.size();) {
    const std::string& word = words[at];
    if (word == "--") {
      place.only_arguments = true;
    } else if (word.starts_with("-") && !place.only_arguments) {
      at = take_option(place, words, at);
      continue;
    } else if (const Verb* verb = place.verb->find(word)) {
      place.verb = verb;
      place.before.assign(words.begin() + static_cast<std::ptrdiff_t>(at), words.end());
    } else {
      ++place.arguments;
    }
    ++at;
  }
  return place;
}

bool takes_a_file(const OptionFacts& option) {
  const auto says = [&option](const char* word) {
    return option.type.find(word) != std::string::npos;
  };
  return option.existing_file || says("FILE") || says("PATH") || says("DIR");
}

// Completes one value. In a list, only the last value is completed and the finished ones are kept.
Completion values_of(const OptionFacts& option, const std::string& prefix, const Words& before) {
  if (!option.completer) return {.candidates = {}, .files = takes_a_file(option)};
  const std::size_t comma =
      option.separator == '\0' ? std::string::npos : prefix.rfind(option.separator);
  if (comma == std::string::npos) return {.candidates = option.completer(prefix, before)};
  const std::string finished = prefix.substr(0, comma + 1);
  Completion answer{.candidates = option.completer(prefix.substr(comma + 1), before)};
  for (Candidate& candidate : answer.candidates) candidate.word = finished + candidate.word;
  return answer;
}

std::vector<Candidate> options_of(const Place& place) {
  std::vector<Candidate> candidates;
  for (const Option& each : place.verb->options()) {
    const OptionFacts& option = each.facts();
    if (option.is_argument()) continue;
    if (place.used.contains(&option) && option.most_values() <= 1) continue;
    candidates.push_back({option.name(), option.help});
  }
  return candidates;
}

std::vector<Candidate> verbs_of(const Verb& verb) {
  std::vector<Candidate> candidates;
  for (const auto& below : verb.verbs())
    if (!below->is_hidden()) candidates.push_back({below->name(), below->help()});
  if (!candidates.empty()) candidates.push_back({"help", "Explain a verb"});
  return candidates;
}

// The next argument; the last one if it takes several.
const OptionFacts* next_argument(const Place& place) {
  int passed = 0;
  for (const Option& option : place.verb->options()) {
    if (!option.facts().is_argument()) continue;
    passed += option.facts().most_values();
    if (place.arguments < passed) return &option.facts();
  }
  return nullptr;
}

Completion at_place(const Place& place, const std::string& prefix) {
  if (place.waiting != nullptr && !prefix.starts_with("-"))
    return values_of(*place.waiting, prefix, place.before);
  if (prefix.starts_with("-") && !place.only_arguments) {
    const std::size_t equals = prefix.find('=');
    if (equals == std::string::npos) return {.candidates = options_of(place)};
    const std::string name = prefix.substr(0, equals);
    const OptionFacts* option = option_named(*place.verb, name);
    if (option == nullptr) return {};
    Completion answer = values_of(*option, prefix.substr(equals + 1), place.before);
    for (Candidate& candidate : answer.candidates) candidate.word = name + "=" + candidate.word;
    return answer;
  }
  std::vector<Candidate> verbs = verbs_of(*place.verb);
  if (!verbs.empty()) return {.candidates = std::move(verbs)};
  if (const OptionFacts* argument = next_argument(place))
    return values_of(*argument, prefix, place.before);
  return {.candidates = options_of(place)};
}

}  // namespace

Completion complete(const Verb& program, Words words) {
  const std::string prefix = words.empty() ? "" : words.back();
  if (!words.empty()) words.pop_back();
  const bool asks_help = !words.empty() && words.front() == "help";
  if (asks_help) words.erase(words.begin());
  Completion answer;
  if (!asks_help || words.empty()) answer = at_place(walk(program, words), prefix);
  std::erase_if(answer.candidates,
                [&prefix](const Candidate& c) { return !c.word.starts_with(prefix); });
  return answer;
}

}  // namespace runner
