#include "runner/data/tokens/tokenizer.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "runner/base/files/sha256.h"
#include "tests/runner/run_program.h"
#include "tests/runner/shared_files.h"

namespace runner {
namespace {

using Tokens = std::vector<std::uint32_t>;

Tokens tokenizer_encoded(Tokenizer& tokenizer, std::string_view text) {
  Tokens tokens;
  tokenizer.encode(text, tokens);
  return tokens;
}

std::string decoded(const Tokenizer& tokenizer, const Tokens& tokens) {
  std::string text;
  for (const std::uint32_t token : tokens) text += tokenizer.text(token);
  return text;
}

std::unique_ptr<Tokenizer> gpt2() {
  if (!std::filesystem::exists(shared_file("data/gpt2-bpe/vocab.bpe"))) return nullptr;
  return gpt2_tokenizer(read_file(shared_file("data/gpt2-bpe/vocab.bpe")),
                        read_file(shared_file("data/gpt2-bpe/dict.txt")));
}

}  // namespace

TEST(Tokenizer, BytesEncodeAnyByte) {
  const auto bytes = byte_tokenizer();
  EXPECT_EQ(bytes->size(), 256u);
  EXPECT_EQ(tokenizer_encoded(*bytes, std::string("a\xff\0\n", 4)), (Tokens{97, 255, 0, 10}));
}

TEST(Tokenizer, WordsAreNumberedByFirstAppearance) {
  const auto words = word_tokenizer("the cat\n\n the  <unk> sat\n");
  EXPECT_EQ(words->size(), 5u);
  EXPECT_EQ(words->boundary(), 2u);
  EXPECT_EQ(tokenizer_encoded(*words, "the cat\n\n the  <unk> sat\n"),
            (Tokens{0, 1, 2, 2, 0, 3, 4, 2}));
  EXPECT_EQ(tokenizer_encoded(*words, "the dog"), (Tokens{0, 3, 2}))
      << "a last line without a newline";
}

TEST(Tokenizer, WordsAlwaysIncludeUnknown) {
  const auto words = word_tokenizer("a b\n");
  EXPECT_EQ(words->size(), 4u);
  EXPECT_EQ(tokenizer_encoded(*words, "c a\r\n"), (Tokens{3, 0, 2}));
  EXPECT_EQ(word_tokenizer("")->size(), 2u);
}

TEST(Tokenizer, RankedWordsAreNumberedByFrequency) {
  const std::string text = "the cat saw\nthe cat\nthe <unk> the\n";
  const auto words = word_tokenizer(text, WordOrder::kFrequency);
  EXPECT_EQ(words->boundary(), 1u) << "3 <eos>, 4 the";
  EXPECT_EQ(tokenizer_encoded(*words, text), (Tokens{0, 2, 3, 1, 0, 2, 1, 0, 4, 0, 1}));
  EXPECT_EQ(decoded(*words, tokenizer_encoded(*words, text)),
            " the cat saw\n the cat\n the <unk> the\n");
  EXPECT_EQ(tokenizer_encoded(*words, "dog"), (Tokens{4, 1}));
  EXPECT_EQ(tokenizer_encoded(*word_tokenizer("a b b\n", WordOrder::kFrequency), "c b a"),
            (Tokens{3, 0, 1, 2}))
      << "<unk> is there without being in the text";
}

TEST(Tokenizer, TellsTheTextOfTokens) {
  const auto bytes = byte_tokenizer(), words = word_tokenizer("the cat\n\nsat\n");
  EXPECT_EQ(decoded(*bytes, tokenizer_encoded(*bytes, std::string("a\xff\0\n", 4))),
            std::string("a\xff\0\n", 4));
  EXPECT_EQ(decoded(*words, tokenizer_encoded(*words, "sat the\n\ndog\n")), " sat the\n\n <unk>\n");
  EXPECT_THROW(bytes->text(256), std::out_of_range);
  EXPECT_THROW(words->text(words->size()), std::out_of_range);
}

TEST(Tokenizer, Gpt2TellsTheTextOfTokens) {
  const auto tokenizer = gpt2();
  if (!tokenizer) GTEST_SKIP() << shared_file("data/gpt2-bpe") << " not found";
  const std::string text = "Robert is an actor .\n\n= naïve =\n";
  EXPECT_EQ(decoded(*tokenizer, tokenizer_encoded(*tokenizer, text)), text);
  EXPECT_EQ(tokenizer->text(0), "") << "<s>, which no text has";
}

TEST(Tokenizer, WordsCountWikiTextAsItsAuthorsDo) {
  const auto counts = [](const std::string& file) -> std::size_t {
    if (!std::filesystem::exists(shared_file("data/" + file))) return 0;
    const std::string text = read_file(shared_file("data/" + file));
    return tokenizer_encoded(*word_tokenizer(text), text).size();
  };
  if (counts("wikitext-2/valid.txt") == 0) GTEST_SKIP() << shared_file("data") << " not found";
  EXPECT_EQ(counts("wikitext-2/valid.txt"), 217646u);
  EXPECT_EQ(counts("wikitext-2/test.txt"), 245569u);
  EXPECT_EQ(counts("wikitext-103/wiki.valid.tokens"), 217646u);
  EXPECT_EQ(counts("wikitext-103/wiki.test.tokens"), 245569u);
}

TEST(Tokenizer, WordsFindTheVocabularyOfWikiText2) {
  const auto packed = shared_file("data/wikitext-2/train.txt.xz");
  if (!std::filesystem::exists(packed)) GTEST_SKIP() << packed << " not found";
  const std::string text = run_program({"xz", "-dc", packed}).out;
  if (text.empty()) GTEST_SKIP() << "xz is not available";
  const auto words = word_tokenizer(text);
  EXPECT_EQ(words->size(), 33278u);
  EXPECT_EQ(tokenizer_encoded(*words, text).size(), 2088628u);
}

TEST(Tokenizer, Gpt2EncodesLinesAsFairseqDoes) {
  const auto tokenizer = gpt2();
  if (!tokenizer) GTEST_SKIP() << shared_file("data/gpt2-bpe") << " not found";
  std::ifstream list(shared_file("data/gpt2-bpe/fixtures_files.json"));
  for (const auto& row : nlohmann::json::parse(list)) {
    const Tokens tokens = tokenizer_encoded(
        *tokenizer, read_file(shared_file("data/" + row["file"].get<std::string>())));
    EXPECT_EQ(tokens.size(), row["fairseq_perline_strip_eos_tokens"]) << row["file"];
    Sha256 digest;
    digest.add(tokens.data(), tokens.size() * sizeof(std::uint32_t));
    EXPECT_EQ(digest.hex(), row["fairseq_perline_strip_eos_int32le_sha256"]) << row["file"];
  }
}

TEST(Tokenizer, Gpt2StripsLines) {
  const auto tokenizer = gpt2();
  if (!tokenizer) GTEST_SKIP() << shared_file("data/gpt2-bpe") << " not found";
  EXPECT_EQ(tokenizer->size(), 50265u);
  EXPECT_EQ(tokenizer_encoded(*tokenizer, "\xc2\xa0 Hello world \x1f\r\n \n"),
            (Tokens{31414, 232, tokenizer->boundary(), tokenizer->boundary()}));
}

}  // namespace runner
