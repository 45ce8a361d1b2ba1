#include "runner/data/tokens/token_file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <stdexcept>

#include "lcsm/files/whole_file.h"
#include "tests/message_of.h"
#include "tests/runner/data/tasks/data_folder.h"

namespace runner {
namespace {

// A vocabulary of any size: the token of a byte is its value times `step`.
class SpreadTokenizer : public Tokenizer {
 public:
  explicit SpreadTokenizer(std::uint32_t step) : step_(step) {}
  std::uint32_t size() const override { return 255 * step_ + 1; }
  std::uint32_t boundary() const override { return 10 * step_; }
  void encode(std::string_view text, std::vector<std::uint32_t>& into) override {
    for (const char c : text) into.push_back(static_cast<unsigned char>(c) * step_);
  }
  std::string text(std::uint32_t token) const override {
    return {static_cast<char>(token / step_)};
  }

 private:
  std::uint32_t step_;
};

class TokenFiles : public DataFolder {
 protected:
  std::string refusal(const std::string& bytes) {
    return message_of<std::runtime_error>([&] { TokenFile(put("broken", bytes)); });
  }
};

}  // namespace

TEST_F(TokenFiles, StoreTokensInTheNarrowestWidth) {
  std::string text;
  for (int i = 0; i < 3000000; ++i) text += i % 80 == 79 ? '\n' : static_cast<char>(i * 7);
  for (const auto& [step, width] : {std::pair{1u, 1u}, {257u, 2u}, {70000u, 4u}}) {
    SpreadTokenizer tokenizer(step);
    write_tokens(path("tokens"), text, tokenizer);
    const TokenFile file(path("tokens"));
    EXPECT_EQ(std::filesystem::file_size(path("tokens")), 64 + text.size() * width + 16);
    ASSERT_EQ(file.size(), text.size());
    EXPECT_EQ(file.vocab(), tokenizer.size());
    EXPECT_EQ(file.boundary(), tokenizer.boundary());
    std::vector<std::int32_t> tokens(text.size());
    file.copy(0, tokens);
    for (std::size_t i = 0; i < text.size(); ++i)
      ASSERT_EQ(tokens[i], static_cast<int>(static_cast<unsigned char>(text[i]) * step)) << i;
  }
}

TEST_F(TokenFiles, MayBeEmpty) {
  write_tokens(path("tokens"), "", *byte_tokenizer());
  EXPECT_EQ(TokenFile(path("tokens")).size(), 0u);
}

TEST_F(TokenFiles, RejectMalformedFiles) {
  write_tokens(path("tokens"), "abc", *byte_tokenizer());
  const std::string good = read_file(path("tokens"));
  EXPECT_EQ(refusal(good), "");
  EXPECT_EQ(refusal(""),
            "'" + path("broken") + "': expected a token file, got 0 bytes of other data");
  for (std::size_t size = 0; size < good.size(); ++size)
    EXPECT_NE(refusal(good.substr(0, size)), "") << size;
  EXPECT_NE(refusal(good + "x"), "");
  for (std::size_t bit = 0; bit < 8 * good.size(); ++bit) {
    std::string bad = good;
    bad[bit / 8] = static_cast<char>(bad[bit / 8] ^ (1 << bit % 8));
    EXPECT_NE(refusal(bad), "") << bit;
  }
}

TEST_F(TokenFiles, RejectRangesBeyondTheEnd) {
  write_tokens(path("tokens"), "abc", *byte_tokenizer());
  const TokenFile file(path("tokens"));
  std::vector<std::int32_t> three(3), one(1);
  EXPECT_NO_THROW(file.copy(0, three));
  EXPECT_THROW(file.copy(1, three), std::out_of_range);
  EXPECT_THROW(file.copy(4, one), std::out_of_range);
  EXPECT_THROW(file.copy(~std::uint64_t{0}, one), std::out_of_range);
}

// A file size limit simulates a full disk.
TEST_F(TokenFiles, AreWrittenAtomically) {
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{1000, before.rlim_max};
  std::filesystem::create_directories(path("cache"));
  setrlimit(RLIMIT_FSIZE, &small);
  EXPECT_THROW(write_tokens(path("cache/tokens"), std::string(2000, 'x'), *byte_tokenizer()),
               lcsm::WriteError);
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_TRUE(std::filesystem::is_empty(path("cache")));
}

}  // namespace runner
