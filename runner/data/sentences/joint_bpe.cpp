#include "runner/data/sentences/joint_bpe.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "lcsm/base/words.h"
#include "runner/data/tokens/unicode_classes.h"

namespace runner {
namespace {

using Symbols = std::vector<std::string>;

constexpr std::int64_t kLeast = 2;  // occurrences of a pair that is merged
constexpr std::size_t kMostSymbols = 65536;

Symbols characters_of(std::string_view word) {
  Symbols symbols;
  for_each_character(word, [&](std::string_view each) { symbols.emplace_back(each); });
  if (!symbols.empty()) symbols.back() += kWordEnd;
  return symbols;
}

// Replaces every occurrence of the pair, from left to right.
void merge_pair(const Merge& pair, Symbols* symbols) {
  Symbols merged;
  for (std::size_t i = 0; i < symbols->size(); ++i) {
    const bool here =
        i + 1 < symbols->size() && (*symbols)[i] == pair.first && (*symbols)[i + 1] == pair.second;
    merged.push_back(here ? pair.first + pair.second : (*symbols)[i]);
    if (here) ++i;
  }
  *symbols = std::move(merged);
}

// Pairs by their number of occurrences in all words, kept up to date while words change. Symbols
// are numbers.
class PairCounts {
 public:
  explicit PairCounts(const WordCounts& counts) : queue_(Later{&names_}) {
    const std::map<std::string_view, std::int64_t> sorted(counts.begin(), counts.end());
    for (const auto& [word, count] : sorted) {
      words_.push_back({{}, count});
      for (const std::string& symbol : characters_of(word))
        words_.back().symbols.push_back(number_of(symbol));
      add(words_.size() - 1, +1);
    }
    for (const auto& [pair, facts] : pairs_) queue_.insert({facts.count, pair});
    changed_.clear();
  }

  // The most frequent pair; of equally frequent ones the last in byte order.
  std::int64_t most() const { return queue_.empty() ? 0 : queue_.rbegin()->count; }

  Merge merge_best() {
    const Pair pair = queue_.rbegin()->pair;
    const Merge names{names_[left_of(pair)], names_[right_of(pair)]};
    const std::uint32_t whole = number_of(names.first + names.second);
    std::vector<std::uint32_t> where = pairs_.at(pair).words;
    std::sort(where.begin(), where.end());
    where.erase(std::unique(where.begin(), where.end()), where.end());
    for (const std::uint32_t word : where) {
      add(word, -1);
      put_whole(pair, whole, &words_[word].symbols);
      add(word, +1);
    }
    for (const auto& [changed, before] : changed_) {
      queue_.erase({before, changed});
      const auto found = pairs_.find(changed);
      if (found->second.count > 0)
        queue_.insert({found->second.count, changed});
      else
        pairs_.erase(found);
    }
    changed_.clear();
    return names;
  }

 private:
  using Pair = std::uint64_t;  // the left symbol in the higher half
  struct Word {
    std::vector<std::uint32_t> symbols;
    std::int64_t count = 0;
  };
  struct Facts {
    std::int64_t count = 0;
    std::vector<std::uint32_t> words = {};  // that contain the pair, or did
  };
  struct Counted {
    std::int64_t count = 0;
    Pair pair = 0;
  };
  struct Later {
    const std::vector<std::string>* names;
    bool operator()(const Counted& a, const Counted& b) const {
      if (a.count != b.count) return a.count < b.count;
      const std::string &left = (*names)[left_of(a.pair)], &other = (*names)[left_of(b.pair)];
      if (left != other) return left < other;
      return (*names)[right_of(a.pair)] < (*names)[right_of(b.pair)];
    }
  };

  static std::uint32_t left_of(Pair pair) { return static_cast<std::uint32_t>(pair >> 32); }
  static std::uint32_t right_of(Pair pair) { return static_cast<std::uint32_t>(pair); }

  std::uint32_t number_of(const std::string& symbol) {
    const auto [found, added] =
        numbers_.try_emplace(symbol, static_cast<std::uint32_t>(names_.size()));
    if (added) names_.push_back(symbol);
    return found->second;
  }

  // Replaces every occurrence of the pair, from left to right.
  static void put_whole(Pair pair, std::uint32_t whole, std::vector<std::uint32_t>* symbols) {
    std::size_t to = 0;
    for (std::size_t from = 0; from < symbols->size(); ++from, ++to) {
      const bool here = (*symbols)[from] == left_of(pair) && from + 1 < symbols->size() &&
                        (*symbols)[from + 1] == right_of(pair);
      (*symbols)[to] = here ? whole : (*symbols)[from];
      from += here ? 1 : 0;
    }
    symbols->resize(to);
  }

  void add(std::size_t word, std::int64_t sign) {
    const auto& [symbols, count] = words_[word];
    for (std::size_t i = 0; i + 1 < symbols.size(); ++i) {
      const Pair pair = Pair{symbols[i]} << 32 | symbols[i + 1];
      Facts& facts = pairs_[pair];
      changed_.try_emplace(pair, facts.count);
      facts.count += sign * count;
      if (sign > 0) facts.words.push_back(static_cast<std::uint32_t>(word));
    }
  }

  std::vector<std::string> names_;  // of symbols
  std::unordered_map<std::string, std::uint32_t> numbers_;
  std::vector<Word> words_;
  std::unordered_map<Pair, Facts> pairs_;
  std::unordered_map<Pair, std::int64_t> changed_;  // the count before the current merge
  std::set<Counted, Later> queue_;
};

std::string key_of(const std::string& left, const std::string& right) { return left + ' ' + right; }

bool ends_word(const std::string& symbol) { return symbol.ends_with(kWordEnd); }

}  // namespace

void count_words(std::string_view text, WordCounts* counts) {
  for (const std::string& word : lcsm::words_of(text)) ++(*counts)[word];
}

std::vector<Merge> learned_merges(const WordCounts& counts, std::int64_t most) {
  std::vector<Merge> merges;
  PairCounts pairs(counts);
  while (static_cast<std::int64_t>(merges.size()) < most && pairs.most() >= kLeast)
    merges.push_back(pairs.merge_best());
  return merges;
}

MergedWords::MergedWords(const std::vector<Merge>& merges) {
  for (const auto& [left, right] : merges)
    order_.try_emplace(key_of(left, right), static_cast<std::uint32_t>(order_.size()));
}

const Symbols& MergedWords::symbols(const std::string& word) {
  const auto [found, added] = seen_.try_emplace(word);
  if (added) found->second = merged(word);
  return found->second;
}

// The pair in the word that was learned first.
Symbols MergedWords::merged(const std::string& word) const {
  Symbols symbols = characters_of(word);
  for (;;) {
    std::uint32_t first = std::numeric_limits<std::uint32_t>::max();
    Merge best;
    for (std::size_t i = 0; i + 1 < symbols.size(); ++i) {
      const auto found = order_.find(key_of(symbols[i], symbols[i + 1]));
      if (found == order_.end() || found->second >= first) continue;
      first = found->second;
      best = {symbols[i], symbols[i + 1]};
    }
    if (best.first.empty()) return symbols;
    merge_pair(best, &symbols);
  }
}

JointBpe::JointBpe(std::vector<Merge> merges, const WordCounts& counts)
    : merges_(std::move(merges)), words_(merges_), symbols_{"</s>", "<unk>"} {
  std::map<std::string, std::int64_t> symbols;
  for (const auto& [word, count] : counts)
    for (const std::string& symbol : words_.symbols(word)) symbols[symbol] += count;
  std::vector<std::pair<std::int64_t, std::string>> order;
  for (const auto& [symbol, count] : symbols) order.emplace_back(-count, symbol);
  std::sort(order.begin(), order.end());
  for (const auto& [count, symbol] : order)
    if (symbols_.size() < kMostSymbols) symbols_.push_back(symbol);
  number();
}

JointBpe::JointBpe(std::vector<Merge> merges, std::vector<std::string> symbols)
    : merges_(std::move(merges)), words_(merges_), symbols_(std::move(symbols)) {
  number();
}

void JointBpe::number() {
  for (std::uint32_t token = kUnknown + 1; token < symbols_.size(); ++token)
    tokens_[symbols_[token]] = token;
}

std::vector<std::uint32_t> JointBpe::encoded(std::string_view text) {
  std::vector<std::uint32_t> tokens;
  for (const std::string& word : lcsm::words_of(text))
    for (const std::string& symbol : words_.symbols(word)) {
      const auto found = tokens_.find(symbol);
      tokens.push_back(found == tokens_.end() ? kUnknown : found->second);
    }
  return tokens;
}

std::string JointBpe::decoded(const std::vector<std::uint32_t>& tokens) const {
  std::string text;
  bool open = true;  // the next symbol belongs to the word before, or is the first
  for (const std::uint32_t token : tokens) {
    if (token == kEnd) break;
    const std::string& symbol = symbols_.at(token);
    if (!open) text += ' ';
    const bool ends = ends_word(symbol) && token != kUnknown;
    text += ends ? symbol.substr(0, symbol.size() - kWordEnd.size()) : symbol;
    open = !ends && token != kUnknown;
  }
  return text;
}

}  // namespace runner
