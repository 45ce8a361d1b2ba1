#include "runner/data/datasets/paraphrase.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <vector>

#include "lcsm/base/words.h"

namespace runner {
namespace {

// Formats: other words, or another order, draw other examples.
constexpr std::array<std::string_view, 24> kNames = {
    "anna", "ben",   "carla", "david", "emma",  "felix",  "greta", "hugo",
    "ida",  "jonas", "klara", "leo",   "maria", "noah",   "olga",  "paul",
    "rosa", "simon", "tina",  "urs",   "vera",  "walter", "xenia", "yuri"};
constexpr std::array<std::string_view, 12> kVerbs = {"called",  "helped",  "praised", "taught",
                                                     "teased",  "thanked", "warned",  "followed",
                                                     "watched", "invited", "paid",    "missed"};
struct Clause {
  std::size_t who = 0, verb = 0, whom = 1;
  bool never = false;
  bool operator==(const Clause&) const = default;
};

template <class Words>
std::size_t draw_of(RandomStream& random, const Words& words) {
  return static_cast<std::size_t>(random.below(words.size()));
}

// One of the names besides these.
std::size_t another_name(RandomStream& random, std::size_t a, std::size_t b) {
  for (;;)
    if (const std::size_t name = draw_of(random, kNames); name != a && name != b) return name;
}

Clause draw_clause(RandomStream& random) {
  Clause clause{draw_of(random, kNames), draw_of(random, kVerbs), 0, random.below(4) == 0};
  clause.whom = another_name(random, clause.who, clause.who);
  return clause;
}

Clause changed(RandomStream& random, Clause clause) {
  switch (random.below(4)) {
    case 0:
      std::swap(clause.who, clause.whom);
      break;
    case 1:
      clause.whom = another_name(random, clause.who, clause.whom);
      break;
    case 2:
      clause.verb = (clause.verb + 1 + random.below(kVerbs.size() - 1)) % kVerbs.size();
      break;
    default:
      clause.never = !clause.never;
  }
  return clause;
}

std::string text_of(RandomStream& random, const Clause& clause) {
  const bool passive = random.below(2) == 0;
  const std::string never = clause.never ? "never " : "", verb(kVerbs[clause.verb]);
  const std::string who(kNames[clause.who]), whom(kNames[clause.whom]);
  if (passive) return whom + " was " + never + verb + " by " + who;
  return who + " " + never + verb + " " + whom;
}

template <class Words>
std::size_t place_of_word(const Words& words, std::string_view word) {
  const auto found = std::find(words.begin(), words.end(), word);
  if (found == words.end())
    throw std::invalid_argument("expected a word of the grammar, got '" + std::string(word) + "'");
  return static_cast<std::size_t>(found - words.begin());
}

Clause meaning_of(std::string_view text) {
  std::vector<std::string> words = lcsm::words_of(text);
  Clause clause;
  clause.never = std::erase(words, "never") == 1;
  const bool passive = words.size() == 5 && words[1] == "was" && words[3] == "by";
  if (!passive && words.size() != 3)
    throw std::invalid_argument("expected a clause, got " + lcsm::joined(words));
  clause.who = place_of_word(kNames, words[passive ? 4 : 0]);
  clause.verb = place_of_word(kVerbs, words[passive ? 2 : 1]);
  clause.whom = place_of_word(kNames, words[passive ? 0 : 2]);
  return clause;
}

}  // namespace

NewExample paraphrase_example(RandomStream& random) {
  const Clause clause = draw_clause(random);
  NewExample example;
  example.label = static_cast<std::uint32_t>(random.below(2));
  example.sequences = {text_of(random, clause)};
  example.sequences.push_back(
      text_of(random, example.label == 1 ? clause : changed(random, clause)));
  return example;
}

bool say_the_same(std::string_view a, std::string_view b) { return meaning_of(a) == meaning_of(b); }

}  // namespace runner
