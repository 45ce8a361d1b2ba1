// Joint byte-pair encoding of two languages (Sennrich, Haddow, Birch 2016): words are sequences of
// characters, and the most frequent adjacent pair is merged repeatedly.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace runner {

// The last character of a word carries kWordEnd, as in version 0.2 of subword-nmt.
inline constexpr std::string_view kWordEnd = "</w>";

using Merge = std::pair<std::string, std::string>;

// Counts the words of a text.
using WordCounts = std::unordered_map<std::string, std::int64_t>;
void count_words(std::string_view text, WordCounts* counts);

// Learns at most `most` merges, each of the most frequent pair; ties go to the last in byte order,
// as in subword-nmt. Pairs that occur once are not merged.
std::vector<Merge> learned_merges(const WordCounts& counts, std::int64_t most);

// The symbols of a word after all merges, in order.
class MergedWords {
 public:
  explicit MergedWords(const std::vector<Merge>& merges);

  // Not thread-safe: it keeps the words that it has seen.
  const std::vector<std::string>& symbols(const std::string& word);

 private:
  std::vector<std::string> merged(const std::string& word) const;

  std::unordered_map<std::string, std::uint32_t> order_;  // of "left right"
  std::unordered_map<std::string, std::vector<std::string>> seen_;
};

// The tokens of both languages: </s>, <unk>, then symbols, the most frequent first.
class JointBpe {
 public:
  static constexpr std::uint32_t kEnd = 0, kUnknown = 1;

  // Symbols that occur in the words.
  JointBpe(std::vector<Merge> merges, const WordCounts& counts);
  // From stored symbols.
  JointBpe(std::vector<Merge> merges, std::vector<std::string> symbols);

  std::uint32_t size() const { return static_cast<std::uint32_t>(symbols_.size()); }
  const std::vector<Merge>& merges() const { return merges_; }
  const std::vector<std::string>& symbols() const { return symbols_; }  // by token

  // Without </s>. Not thread-safe.
  std::vector<std::uint32_t> encoded(std::string_view text);
  // Words separated by blanks, up to </s>. An unfinished word at the end counts as a word.
  std::string decoded(const std::vector<std::uint32_t>& tokens) const;

 private:
  void number();

  std::vector<Merge> merges_;
  MergedWords words_;
  std::vector<std::string> symbols_;
  std::unordered_map<std::string, std::uint32_t> tokens_;
};

}  // namespace runner
