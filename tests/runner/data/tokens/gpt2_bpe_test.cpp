#include "runner/data/tokens/gpt2_bpe.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "runner/base/files/sha256.h"
#include "tests/lcsm/formula/fuzz.h"
#include "tests/message_of.h"
#include "tests/runner/run_program.h"
#include "tests/runner/shared_files.h"

namespace runner {
namespace {

using Tokens = std::vector<std::uint32_t>;

Tokens encoded(Gpt2Bpe& bpe, std::string_view text) {
  Tokens tokens;
  bpe.encode(text, tokens);
  return tokens;
}

// Uses the real files; skipped if they are missing.
class Gpt2BpeFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(shared_file("data/gpt2-bpe/vocab.bpe")))
      GTEST_SKIP() << shared_file("data/gpt2-bpe") << " not found";
    merges_ = read_file(shared_file("data/gpt2-bpe/vocab.bpe"));
    dictionary_ = read_file(shared_file("data/gpt2-bpe/dict.txt"));
  }

  Gpt2Bpe bpe(TokenOrder order) const { return {merges_, dictionary_, order}; }

  std::string merges_, dictionary_;
};

std::string refusal(const std::string& merges, const std::string& dictionary = "",
                    TokenOrder order = TokenOrder::kGpt2) {
  return message_of<std::invalid_argument>([&] { Gpt2Bpe(merges, dictionary, order); });
}

// As many merges as GPT-2 has, artificial ones: pairs of the bytes 'A' to '~', then these pairs
// with a third byte.
std::string made_up_merges() {
  std::string text = "#version: 0.2\nh e\nhe l\nl o\nhel lo\n";
  std::size_t lines = 4;
  for (const bool third : {false, true})
    for (char a = 'A'; a <= '~'; ++a)
      for (char b = 'A'; b <= '~'; ++b) {
        const std::string pair = std::string(1, a) + (third ? "" : " ") + b;
        if (pair == "h e" || pair == "l o") continue;
        for (char c = '0'; c <= (third ? '~' : '0') && lines < 50000; ++c) {
          if (third && (pair + c == "hel" || pair == "he" || pair == "lo")) continue;
          text += pair + (third ? std::string(" ") + c : "") + "\n";
          ++lines;
        }
      }
  return text;
}

}  // namespace

TEST_F(Gpt2BpeFiles, EncodesEveryFixtureExactly) {
  std::ifstream fixtures(shared_file("data/gpt2-bpe/fixtures.jsonl"));
  Gpt2Bpe gpt2 = bpe(TokenOrder::kGpt2), fairseq = bpe(TokenOrder::kFairseq);
  int count = 0;
  for (std::string line; std::getline(fixtures, line); ++count) {
    const auto fixture = nlohmann::json::parse(line);
    const std::string text = fixture["text"];
    EXPECT_EQ(encoded(gpt2, text), fixture["gpt2_ids"].get<Tokens>()) << text;
    EXPECT_EQ(encoded(fairseq, text), fixture["fairseq_ids"].get<Tokens>()) << text;
    EXPECT_EQ(fairseq.decode(encoded(fairseq, text)), text);
  }
  EXPECT_EQ(count, 220);
}

TEST_F(Gpt2BpeFiles, EncodesWholeFilesToTheExpectedDigest) {
  Gpt2Bpe gpt2 = bpe(TokenOrder::kGpt2);
  std::ifstream list(shared_file("data/gpt2-bpe/fixtures_files.json"));
  for (const auto& row : nlohmann::json::parse(list)) {
    const std::string name = row["file"];
    const Tokens tokens = encoded(gpt2, read_file(shared_file("data/" + name)));
    EXPECT_EQ(tokens.size(), row["whole_file_gpt2_tokens"]) << name;
    Sha256 digest;
    digest.add(tokens.data(), tokens.size() * sizeof(std::uint32_t));
    EXPECT_EQ(digest.hex(), row["whole_file_gpt2_ids_int32le_sha256"].get<std::string>()) << name;
  }
}

TEST_F(Gpt2BpeFiles, NumbersTokensAsEncoderJsonDoes) {
  Gpt2Bpe gpt2 = bpe(TokenOrder::kGpt2);
  std::ifstream file(shared_file("data/gpt2-bpe/encoder.json"));
  const auto numbers = nlohmann::json::parse(file);
  ASSERT_EQ(numbers.size(), 50257u);
  EXPECT_EQ(gpt2.decode(Tokens{numbers["\u0120the"].get<std::uint32_t>()}), " the");
  EXPECT_EQ(gpt2.decode(Tokens{numbers["\u010a"].get<std::uint32_t>()}), "\n");
  EXPECT_EQ(gpt2.decode(Tokens{numbers["<|endoftext|>"].get<std::uint32_t>()}), "<|endoftext|>");
}

TEST_F(Gpt2BpeFiles, RoundTripsAnyBytes) {
  Gpt2Bpe fairseq = bpe(TokenOrder::kFairseq);
  lcsm::test::Fuzzer fuzzer("texts", 0.2);
  fuzzer.run([&] {
    const std::string text = fuzzer.noise(fuzzer.below(80));
    EXPECT_EQ(fairseq.decode(encoded(fairseq, text)), text);
  });
}

TEST_F(Gpt2BpeFiles, EncodesAVeryLongWord) {
  Gpt2Bpe gpt2 = bpe(TokenOrder::kGpt2);
  const std::string word(1 << 17, 'a');
  EXPECT_EQ(gpt2.decode(encoded(gpt2, word)), word);
  EXPECT_EQ(encoded(gpt2, word), encoded(gpt2, word)) << "cached or not";
}

TEST_F(Gpt2BpeFiles, RejectsAnIncompleteDictionary) {
  const auto why = [&](const std::string& dictionary) {
    return refusal(merges_, dictionary, TokenOrder::kFairseq);
  };
  EXPECT_EQ(why(dictionary_), "");
  EXPECT_EQ(why(""),
            "dict.txt:1: expected 50260 lines that include every token, got the end of the file");
  EXPECT_EQ(why("13 1\n13 1\n"),
            "dict.txt:2: expected each number from 0 to 50256 once, got '13 1'");
  EXPECT_EQ(why("x 1\n"),
            "dict.txt:1: expected the number of a GPT-2 token and its count, got 'x 1'");
}

TEST(Gpt2Bpe, AppliesMergesInTheOrderLearned) {
  Gpt2Bpe bpe(made_up_merges(), "", TokenOrder::kGpt2);
  EXPECT_EQ(encoded(bpe, "hello"), (Tokens{259})) << "h e, he l, l o, hel lo";
  EXPECT_EQ(encoded(bpe, "\x01"), (Tokens{189}))
      << "invisible bytes come after the 188 visible ones";
  EXPECT_EQ(encoded(bpe, "!"), (Tokens{0}));
  EXPECT_EQ(encoded(bpe, ""), Tokens{});
}

TEST(Gpt2Bpe, RejectsMalformedFiles) {
  EXPECT_EQ(refusal(""), "vocab.bpe:0: expected 50000 merges, got the end of the file");
  EXPECT_EQ(refusal("#version: 0.2\nhe l\n"),
            "vocab.bpe:2: expected two tokens that earlier lines define, got 'he l'");
  EXPECT_EQ(refusal("hel\n"), "vocab.bpe:1: expected a merge of two tokens, got 'hel'");
  EXPECT_EQ(refusal("h \x01\n"), "vocab.bpe:1: expected characters that encode bytes, got '\x01'");
  EXPECT_EQ(refusal("h e\nh e\n"), "vocab.bpe:2: expected 50000 distinct merges, got 'h e'");
}

}  // namespace runner
