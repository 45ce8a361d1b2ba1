#include "runner/data/datasets/phrases.h"

#include <algorithm>
#include <array>
#include <optional>
#include <stdexcept>
#include <vector>

#include "lcsm/base/words.h"

namespace runner {
namespace {

using PhraseWords = std::vector<std::string>;

// Formats: other words, or another order, draw other examples.
constexpr std::array<std::string_view, 5> kArticles = {"the", "a", "no", "two", "three"};
constexpr std::size_t kFirstPlural = 3;
constexpr std::array<std::string_view, 12> kAdjectives = {"old",  "red",   "small", "quiet",
                                                          "blue", "round", "young", "lame",
                                                          "rich", "pale",  "brave", "grey"};
constexpr std::array<std::string_view, 24> kNouns = {
    "farmer", "bird",  "king",   "river", "tower", "horse",  "baker",  "garden",
    "cow",    "lake",  "poet",   "door",  "wolf",  "sailor", "bridge", "stone",
    "nurse",  "apple", "forest", "lamp",  "judge", "boat",   "hill",   "smith"};
constexpr std::array<std::string_view, 16> kPastVerbs = {
    "saw",    "found", "praised", "painted", "followed", "guarded", "missed", "carried",
    "feared", "sold",  "named",   "moved",   "liked",    "hid",     "drew",   "left"};
constexpr std::array<std::string_view, 3> kAdverbs = {"often", "never", "gladly"};
constexpr std::array<std::string_view, 4> kPrepositions = {"near", "behind", "above", "without"};
constexpr std::array<std::string_view, 4> kConjunctions = {"because", "while", "before",
                                                           "although"};
constexpr std::string_view kComma = ",", kStop = ".";

// Endings of the translated nouns.
constexpr std::string_view kPlural = "il", kObject = "om", kPlaced = "ek";

struct Phrase {
  std::size_t article = 0, noun = 0;
  std::optional<std::size_t> adjective;
};
struct PhraseClause {
  Phrase subject, object;
  std::size_t verb = 0;
  std::optional<std::size_t> adverb, place;
  Phrase placed;  // where there is a place
};
struct Sentence {
  PhraseClause first;
  std::optional<std::size_t> conjunction;
  PhraseClause second;  // after the conjunction
};

// ----- Drawing -----

template <class List>
std::size_t draw_one(RandomStream& random, const List& list) {
  return static_cast<std::size_t>(random.below(list.size()));
}

// One of the list in `one_in` cases.
template <class List>
std::optional<std::size_t> perhaps(RandomStream& random, const List& list, std::uint64_t one_in) {
  if (random.below(one_in) > 0) return std::nullopt;
  return draw_one(random, list);
}

Phrase draw_phrase(RandomStream& random) {
  Phrase phrase;
  phrase.article = draw_one(random, kArticles);
  phrase.adjective = perhaps(random, kAdjectives, 2);
  phrase.noun = draw_one(random, kNouns);
  return phrase;
}

PhraseClause draw_phrase_clause(RandomStream& random) {
  PhraseClause clause;
  clause.subject = draw_phrase(random);
  clause.adverb = perhaps(random, kAdverbs, 4);
  clause.verb = draw_one(random, kPastVerbs);
  clause.object = draw_phrase(random);
  clause.place = perhaps(random, kPrepositions, 3);
  if (clause.place) clause.placed = draw_phrase(random);
  return clause;
}

Sentence draw_sentence(RandomStream& random) {
  Sentence sentence;
  sentence.first = draw_phrase_clause(random);
  sentence.conjunction = perhaps(random, kConjunctions, 3);
  if (sentence.conjunction) sentence.second = draw_phrase_clause(random);
  return sentence;
}

// ----- The first language -----

bool is_plural(const Phrase& phrase) { return phrase.article >= kFirstPlural; }

void say(const Phrase& phrase, PhraseWords* words) {
  words->emplace_back(kArticles[phrase.article]);
  if (phrase.adjective) words->emplace_back(kAdjectives[*phrase.adjective]);
  words->push_back(std::string(kNouns[phrase.noun]) + (is_plural(phrase) ? "s" : ""));
}

void say(const PhraseClause& clause, PhraseWords* words) {
  say(clause.subject, words);
  if (clause.adverb) words->emplace_back(kAdverbs[*clause.adverb]);
  words->emplace_back(kPastVerbs[clause.verb]);
  say(clause.object, words);
  if (!clause.place) return;
  words->emplace_back(kPrepositions[*clause.place]);
  say(clause.placed, words);
}

std::string said(const Sentence& sentence) {
  PhraseWords words;
  say(sentence.first, &words);
  if (sentence.conjunction) {
    words.emplace_back(kComma);
    words.emplace_back(kConjunctions[*sentence.conjunction]);
    say(sentence.second, &words);
  }
  words.emplace_back(kStop);
  return lcsm::joined(words, " ");
}

// ----- The second -----

// The next vowel or the next consonant.
char next_letter(char letter) {
  constexpr std::string_view kVowels = "aeiou", kConsonants = "bcdfghjklmnpqrstvwxyz";
  for (const std::string_view letters : {kVowels, kConsonants})
    if (const std::size_t at = letters.find(letter); at != std::string_view::npos)
      return letters[(at + 1) % letters.size()];
  return letter;
}

std::string foreign(std::string_view word) {
  std::string other(word.rbegin(), word.rend());
  std::transform(other.begin(), other.end(), other.begin(), next_letter);
  return other;
}

void translate(const Phrase& phrase, std::string_view role, PhraseWords* words) {
  std::string word = phrase.adjective ? foreign(kAdjectives[*phrase.adjective]) : "";
  word += foreign(kNouns[phrase.noun]);
  if (is_plural(phrase)) word += kPlural;
  words->push_back(word + std::string(role));
  words->push_back(foreign(kArticles[phrase.article]));
}

void translate(const PhraseClause& clause, PhraseWords* words) {
  if (clause.place) {
    translate(clause.placed, kPlaced, words);
    words->push_back(foreign(kPrepositions[*clause.place]));
  }
  translate(clause.object, kObject, words);
  translate(clause.subject, "", words);
  if (clause.adverb) words->push_back(foreign(kAdverbs[*clause.adverb]));
  words->push_back(foreign(kPastVerbs[clause.verb]));
}

std::string translated(const Sentence& sentence) {
  PhraseWords words;
  if (sentence.conjunction) {
    words.push_back(foreign(kConjunctions[*sentence.conjunction]));
    translate(sentence.second, &words);
    words.emplace_back(kComma);
  }
  translate(sentence.first, &words);
  words.emplace_back(kStop);
  return lcsm::joined(words, " ");
}

// ----- Reading the first language -----

class PhraseReader {
 public:
  explicit PhraseReader(std::string_view text) : words_(lcsm::words_of(text)) {}

  Sentence read() {
    Sentence sentence;
    sentence.first = clause();
    if (takes(kComma)) {
      sentence.conjunction = one_of(kConjunctions);
      sentence.second = clause();
    }
    if (!takes(kStop) || at_ < words_.size()) refuse("a full stop at the end");
    return sentence;
  }

 private:
  [[noreturn]] void refuse(const std::string& expected) const {
    throw std::invalid_argument("expected " + expected + " as word " + std::to_string(at_ + 1) +
                                ", got '" + (at_ < words_.size() ? words_[at_] : "") + "'");
  }
  bool takes(std::string_view word) {
    const bool there = at_ < words_.size() && words_[at_] == word;
    at_ += there ? 1 : 0;
    return there;
  }
  template <class List>
  std::optional<std::size_t> any_of(const List& list) {
    if (at_ == words_.size()) return std::nullopt;
    const auto found = std::find(list.begin(), list.end(), words_[at_]);
    if (found == list.end()) return std::nullopt;
    ++at_;
    return static_cast<std::size_t>(found - list.begin());
  }
  template <class List>
  std::size_t one_of(const List& list) {
    const std::optional<std::size_t> found = any_of(list);
    if (!found) refuse("a word such as '" + std::string(list[0]) + "'");
    return *found;
  }
  Phrase phrase() {
    Phrase phrase;
    phrase.article = one_of(kArticles);
    phrase.adjective = any_of(kAdjectives);
    if (is_plural(phrase) && at_ < words_.size()) {
      if (!words_[at_].ends_with('s')) refuse("a plural");
      words_[at_].pop_back();
    }
    phrase.noun = one_of(kNouns);
    return phrase;
  }
  PhraseClause clause() {
    PhraseClause clause;
    clause.subject = phrase();
    clause.adverb = any_of(kAdverbs);
    clause.verb = one_of(kPastVerbs);
    clause.object = phrase();
    clause.place = any_of(kPrepositions);
    if (clause.place) clause.placed = phrase();
    return clause;
  }

  PhraseWords words_;
  std::size_t at_ = 0;
};

}  // namespace

NewExample phrases_example(RandomStream& random) {
  const Sentence sentence = draw_sentence(random);
  NewExample example;
  example.sequences = {said(sentence), translated(sentence)};
  return example;
}

std::string translated_phrases(std::string_view text) {
  return translated(PhraseReader(text).read());
}

}  // namespace runner
