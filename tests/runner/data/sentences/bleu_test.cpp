#include "runner/data/sentences/bleu.h"

#include <gtest/gtest.h>

#include <cmath>

namespace runner {
namespace {

using Words = std::vector<std::string>;
using Texts = std::vector<std::string>;

BleuCounts counts_of(const Texts& translations, const std::vector<Texts>& references,
                     Words (*words)(std::string_view)) {
  BleuCounts all;
  for (std::size_t i = 0; i < translations.size(); ++i) {
    std::vector<Words> others;
    for (const Texts& each : references) others.push_back(words(each[i]));
    all += bleu_counts(words(translations[i]), others);
  }
  return all;
}

// The example of sacreBLEU's README, which its tests score.
const Texts kTranslations = {"The dog bit the man.", "It wasn't surprising.",
                             "The man had just bitten him."};
const std::vector<Texts> kReferences = {
    {"The dog bit the man.", "It was not unexpected.", "The man bit him first."},
    {"The dog had bit the man.", "No one was surprised.", "The man had bitten the dog."}};

}  // namespace

// Scores from sacrebleu's test/test_bleu.py and test/test_sentence_bleu.py.
TEST(Bleu, IsThatOfSacreBleusTests) {
  EXPECT_NEAR(bleu(counts_of(kTranslations, kReferences, words_13a)), 48.530827, 1e-6);
  EXPECT_NEAR(bleu(counts_of(kTranslations, kReferences, words_at_blanks)), 49.1919566, 1e-6);
  EXPECT_NEAR(bleu(counts_of(kTranslations, kReferences, words_13a), Smoothing::kNone), 48.530827,
              1e-6);
  EXPECT_EQ(bleu(counts_of({"", "", ""}, kReferences, words_13a)), 0);
  EXPECT_NEAR(bleu(counts_of({"this is a test"}, {{"this is a test"}}, words_at_blanks)), 100,
              1e-9);
  EXPECT_EQ(bleu(counts_of({"this is a cat"}, {{"okay thanks"}}, words_13a)), 0);
  const Texts ours = {"Producția de zahăr primă va fi exprimată în ceea ce privește zahărul alb;"};
  const Texts theirs = {"producţia de zahăr brut se exprimă în zahăr alb;"};
  EXPECT_NEAR(bleu(counts_of(ours, {theirs}, words_13a)), 8.493, 1e-3);
  EXPECT_NEAR(bleu(counts_of(ours, {theirs}, words_at_blanks)), 7.347, 1e-3);
  EXPECT_EQ(bleu(counts_of(ours, {theirs}, words_13a), Smoothing::kNone), 0);
}

TEST(Bleu, CountsAsSacreBleu) {
  const BleuCounts counts = counts_of({"am I am a character sequence"},
                                      {{"I am a symbol string sequence a a"}}, words_at_blanks);
  EXPECT_EQ(counts.right, (std::array<double, 4>{4, 2, 1, 0}));
  EXPECT_EQ(counts.all, (std::array<double, 4>{6, 5, 4, 3}));
  EXPECT_EQ(counts.length, 6);
  EXPECT_EQ(counts.reference_length, 8);
}

TEST(Bleu, FollowsFromItsCounts) {
  BleuCounts counts{{9, 7, 5, 3}, {10, 8, 6, 4}, 11, 11};
  EXPECT_NEAR(bleu(counts), 83.75922397, 1e-7);
  counts = {{6, 5, 4, 0}, {6, 5, 4, 3}, 6, 6};
  EXPECT_EQ(bleu(counts, Smoothing::kNone), 0);
  EXPECT_NEAR(bleu(counts), 100 * std::pow(1. / 6, 0.25), 1e-9) << "half a match of three";
  EXPECT_EQ(bleu({{}, {10, 11, 12, 0}, 14, 10}), 0);
  EXPECT_EQ(bleu({}), 0);
}

// exp(1 - r / c), with the reference nearest in length, the shorter of two.
TEST(Bleu, PunishesShortTranslations) {
  const BleuCounts counts = counts_of({"a b c d"}, {{"a b c d e f"}, {"a b"}}, words_at_blanks);
  EXPECT_EQ(counts.reference_length, 2) << "of 2 and 6 words, as near to 4";
  const BleuCounts longer = counts_of({"a b c d"}, {{"a b c d e f"}}, words_at_blanks);
  EXPECT_NEAR(bleu(longer), 100 * std::exp(1 - 6. / 4), 1e-9);
}

TEST(Words13a, SplitsAsMteval) {
  const auto split = [](const char* text) { return words_13a(text); };
  EXPECT_EQ(split("Hello, world!"), (Words{"Hello", ",", "world", "!"}));
  EXPECT_EQ(split("It costs 1,234.50 (or less)."),
            (Words{"It", "costs", "1,234.50", "(", "or", "less", ")", "."}));
  EXPECT_EQ(split("don't 2-3 well-known"), (Words{"don't", "2", "-", "3", "well-known"}));
  EXPECT_EQ(split("&quot;A&amp;B&quot; &lt;i&gt;"),
            (Words{"\"", "A", "&", "B", "\"", "<", "i", ">"}));
  EXPECT_EQ(split("a<skipped>b"), (Words{"ab"}));
  EXPECT_EQ(split("Größe: 5,5%.\n"), (Words{"Größe", ":", "5,5", "%", "."}));
  EXPECT_EQ(split(".5 5. a.b"), (Words{".", "5", "5", ".", "a", ".", "b"}));
  EXPECT_EQ(split("..."), (Words{".", ".", "."}));
  EXPECT_TRUE(split("").empty());
  EXPECT_TRUE(split(" \n").empty());
}

TEST(WordsAtBlanks, KnowAllWhiteSpace) {
  EXPECT_EQ(words_at_blanks(" a\tb\u00a0c\u3000d "), (Words{"a", "b", "c", "d"}));
}

// perl -ple 's{(\S)-(\S)}{$1 ##AT##-##AT## $2}g'
TEST(WordsOfCompounds, SplitAtHyphens) {
  EXPECT_EQ(words_of_compounds("a well-known - one"),
            (Words{"a", "well", "##AT##-##AT##", "known", "-", "one"}));
  EXPECT_EQ(words_of_compounds("ab-cd-ef"),
            (Words{"ab", "##AT##-##AT##", "cd", "##AT##-##AT##", "ef"}));
  EXPECT_EQ(words_of_compounds("a-b-c"), (Words{"a", "##AT##-##AT##", "b-c"}));
  EXPECT_EQ(words_of_compounds("-a a- --"), (Words{"-a", "a-", "--"}));
}

}  // namespace runner
