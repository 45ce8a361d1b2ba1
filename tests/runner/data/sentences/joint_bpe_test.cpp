#include "runner/data/sentences/joint_bpe.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

namespace runner {
namespace {

using Symbols = std::vector<std::string>;

// The definition, for words of ASCII: count all pairs anew for each merge.
std::vector<Merge> plain_merges(const WordCounts& counts, std::size_t most) {
  std::map<Symbols, std::int64_t> words;
  for (const auto& [word, count] : counts) {
    Symbols symbols;
    for (const char c : word) symbols.emplace_back(1, c);
    symbols.back() += "</w>";
    words[symbols] += count;
  }
  std::vector<Merge> merges;
  while (merges.size() < most) {
    std::map<Merge, std::int64_t> pairs;
    for (const auto& [symbols, count] : words)
      for (std::size_t i = 0; i + 1 < symbols.size(); ++i)
        pairs[{symbols[i], symbols[i + 1]}] += count;
    std::pair<std::int64_t, Merge> best;
    for (const auto& [pair, count] : pairs) best = std::max(best, {count, pair});
    if (best.first < 2) break;
    merges.push_back(best.second);
    std::map<Symbols, std::int64_t> merged;
    for (const auto& [symbols, count] : words) {
      Symbols whole;
      for (std::size_t i = 0; i < symbols.size(); ++i) {
        const bool here = i + 1 < symbols.size() && symbols[i] == best.second.first &&
                          symbols[i + 1] == best.second.second;
        whole.push_back(here ? symbols[i] + symbols[i + 1] : symbols[i]);
        if (here) ++i;
      }
      merged[whole] += count;
    }
    words = merged;
  }
  return merges;
}

WordCounts counts_in(const std::string& text) {
  WordCounts counts;
  count_words(text, &counts);
  return counts;
}

}  // namespace

// The words of Sennrich et al. 2016; of equally frequent pairs the last in order.
TEST(JointBpe, MergesTheMostFrequentPairFirst) {
  const WordCounts counts = {{"low", 5}, {"lower", 2}, {"newest", 6}, {"widest", 3}};
  const std::vector<Merge> merges = learned_merges(counts, 4);
  EXPECT_EQ(merges,
            (std::vector<Merge>{{"s", "t</w>"}, {"e", "st</w>"}, {"l", "o"}, {"w", "est</w>"}}));
}

TEST(JointBpe, LearnsAsTheDefinition) {
  std::mt19937 random(3);
  for (int round = 0; round < 30; ++round) {
    WordCounts counts;
    for (int i = 0; i < 40; ++i) {
      std::string word;
      for (std::size_t n = 0; n <= random() % 7; ++n) word += static_cast<char>('a' + random() % 3);
      counts[word] += 1 + static_cast<std::int64_t>(random() % 4);
    }
    EXPECT_EQ(learned_merges(counts, 25), plain_merges(counts, 25)) << round;
  }
}

TEST(JointBpe, EncodesAndDecodes) {
  const WordCounts counts = counts_in("low low low lower lower newest newest größe größe");
  JointBpe bpe(learned_merges(counts, 6), counts);
  for (const char* text : {"low lower", "newest", "größe low", "lowest", ""})
    EXPECT_EQ(bpe.decoded(bpe.encoded(text)), text);
  EXPECT_EQ(bpe.symbols()[0], "</s>");
  EXPECT_EQ(bpe.symbols()[1], "<unk>");
  EXPECT_EQ(bpe.encoded("xylophone").front(), JointBpe::kUnknown);
  EXPECT_EQ(bpe.decoded({JointBpe::kUnknown, JointBpe::kEnd, 2}), "<unk>");
  EXPECT_LT(bpe.encoded("low").size(), 3u) << "some characters were merged";
}

TEST(JointBpe, IsThatOfItsStoredSymbols) {
  const WordCounts counts = counts_in("aa ab aab aab b@@ </w> x</w> x</w>");
  JointBpe bpe(learned_merges(counts, 5), counts);
  JointBpe again(bpe.merges(), bpe.symbols());
  for (const char* text : {"aa ab aab", "b@@ a", "</w> x</w>"}) {
    EXPECT_EQ(bpe.encoded(text), again.encoded(text)) << text;
    EXPECT_EQ(bpe.decoded(bpe.encoded(text)), again.decoded(again.encoded(text))) << text;
  }
}

TEST(JointBpe, NumbersTheMostFrequentFirst) {
  const WordCounts counts = counts_in("a a a b b c");
  JointBpe bpe({}, counts);
  EXPECT_EQ(bpe.symbols(), (Symbols{"</s>", "<unk>", "a</w>", "b</w>", "c</w>"}));
  EXPECT_EQ(bpe.size(), 5u);
}

// An open symbol at the end is a word.
TEST(JointBpe, DecodesWhatNoTextWasEncodedTo) {
  const WordCounts counts = counts_in("ab ab ba");
  JointBpe bpe({}, counts);
  const std::uint32_t a = bpe.encoded("ab")[0], b_end = bpe.encoded("ab")[1];
  EXPECT_EQ(bpe.decoded({b_end, a}), "b a");
  EXPECT_EQ(bpe.decoded({a, a, b_end, b_end}), "aab b");
}

}  // namespace runner
