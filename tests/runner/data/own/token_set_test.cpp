// Data sets of texts in bytes, tokenized for a run.
#include "runner/data/own/token_set.h"

#include "runner/config/keys/task_keys.h"
#include "runner/data/datasets/data_file_writer.h"
#include "runner/data/own/data_sizes.h"
#include "runner/data/tasks/data_search.h"
#include "tests/runner/data/tasks/data_folder.h"
#include "tests/runner/shared_files.h"

namespace fs = std::filesystem;

namespace runner {
namespace {

class TokenSet : public DataFolder {
 protected:
  void put_texts(const std::vector<std::vector<std::string>>& texts) const {
    const fs::path folder = workspace() / "data" / "few";
    fs::create_directories(folder);
    std::vector<NewExample> examples;
    for (const auto& each : texts) examples.push_back({each, 1, {}});
    const DataShape shape{
        .vocabulary = 256, .classes = 2, .sequences = static_cast<std::uint32_t>(texts[0].size())};
    for (const Split split : kSplits)
      write_examples(split_file(folder, split), shape, R"({"name":"glue-mrpc","apart":2})",
                     examples);
  }
  RunConfig config_of(const std::string& tokens, const std::string& rarest = "1") const {
    return parse_config("", "",
                        {"task.name=glue-mrpc", "task.data=few", "model.family=attention",
                         "task.tokens=" + tokens, "task.rarest=" + rarest},
                        [](const std::string&) {});
  }
  DataFile train(const RunConfig& config) const {
    return DataFile(token_set_files(config, workspace()).front().file.string());
  }
};

}  // namespace

TEST_F(TokenSet, PutsASeparatorBetweenTheWordsOfAPair) {
  put_texts({{"a b", "b c"}, {"b", ""}});
  const DataFile words = train(config_of("words"));
  EXPECT_EQ(words.shape().sequences, 1u);
  EXPECT_EQ(words.shape().vocabulary, 5u);  // <unk> b a c <sep>
  EXPECT_EQ(words.sequence(0), "\x02\x01\x04\x01\x03");
  EXPECT_EQ(words.sequence(1), "\x01\x04");
  EXPECT_EQ(words.label(0), 1u);
  EXPECT_EQ(train(config_of("bytes")).sequence(0),
            "a b\xfe"
            "b c");
  EXPECT_EQ(train(config_of("words", "2")).sequence(0), std::string("\x00\x01\x02\x01\x00", 5));
}

TEST_F(TokenSet, LeavesSingleTextsWithoutASeparator) {
  put_texts({{"a b"}, {"b"}});
  const DataFile words = train(config_of("words"));
  EXPECT_EQ(words.shape().vocabulary, 3u);
  EXPECT_EQ(words.sequence(0), "\x02\x01");
}

TEST_F(TokenSet, IsMadeOncePerContentAndReading) {
  put_texts({{"a b"}, {"b"}});
  const fs::path words = token_set_files(config_of("words"), workspace()).front().file;
  const auto written = fs::last_write_time(words);
  EXPECT_EQ(token_set_files(config_of("words"), workspace()).front().file, words);
  EXPECT_EQ(fs::last_write_time(words), written);
  EXPECT_NE(token_set_files(config_of("words", "2"), workspace()).front().file, words);
  put_texts({{"a longer text"}, {"b"}});
  EXPECT_NE(token_set_files(config_of("words"), workspace()).front().file, words);
}

TEST_F(TokenSet, IsCountedInTokensByThePlan) {
  put_texts({{std::string(100, 'x'), std::string(100, 'y')}});
  EXPECT_EQ(data_sizes(config_of("bytes"), workspace())->mean_length, 200);
  EXPECT_EQ(data_sizes(config_of("words"), workspace())->mean_length, 40);
}

// As RoBERTa without its <s>: a </s> </s> b </s>; 2 is </s>.
TEST_F(TokenSet, HasGpt2sTokensInFairseqsOrder) {
  put_texts({{"Hello world", "Hello"}});
  const RunConfig config = config_of("gpt2");
  EXPECT_THROW(train(config), DataMissing);
  const fs::path real = shared_file("data/gpt2-bpe");
  if (!fs::exists(real)) GTEST_SKIP() << "no files of GPT-2";
  fs::create_directories(workspace() / "data");
  fs::create_directory_symlink(real, workspace() / "data" / "gpt2-bpe");
  const DataFile tokens = train(config);
  EXPECT_EQ(tokens.shape().vocabulary, 50265u);
  ASSERT_EQ(tokens.steps_of(0), 6u);
  std::vector<double> found;
  for (std::uint64_t t = 0; t < 6; ++t)
    found.push_back(value_of(tokens.sequence(0), Element::kShort, t));
  EXPECT_EQ(found[2], 2);
  EXPECT_EQ(found[3], 2);
  EXPECT_EQ(found[4], found[0]);
  EXPECT_EQ(found[5], 2);
}

}  // namespace runner
