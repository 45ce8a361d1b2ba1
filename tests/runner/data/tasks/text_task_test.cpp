#include "runner/data/tasks/text_task.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <system_error>
#include <thread>

#include "runner/config/keys/task_keys.h"
#include "runner/config/run/run_id.h"
#include "runner/data/tasks/data_search.h"
#include "tests/runner/data/tasks/data_folder.h"

namespace fs = std::filesystem;

namespace runner {
namespace {

void ignore_of_text_task(const std::string&) {}

class TextTask : public DataFolder {
 protected:
  RunConfig config_of(const std::string& file, const std::string& tokens = "bytes") {
    return parse_config("task.name = 'text'\nmodel.code = 'ssm'\n", "my.toml",
                        {"task.path=" + file, "task.tokens=" + tokens}, ignore_of_text_task);
  }

  // 200 bytes: enough lines for each part.
  static std::string lines(char letter) {
    std::string text;
    for (int i = 0; i < 100; ++i) text += std::string{letter, '\n'};
    return text;
  }

  int cached() {
    int count = 0;
    for (const auto& entry : fs::directory_iterator(token_cache(workspace())))
      count += entry.path().extension() == ".tokens";
    return count;
  }

  std::vector<std::int32_t> all(const TokenFile& file) {
    std::vector<std::int32_t> tokens(file.size());
    file.copy(0, tokens);
    return tokens;
  }
};

}  // namespace

TEST_F(TextTask, MakesTokensOfEachPart) {
  const std::string text = std::string(90, 'a') + "\n" + std::string(4, 'b') + "\n" + "cc";
  const TextTokens tokens = text_tokens(config_of(put("own", text)), workspace());
  EXPECT_EQ(tokens.train.size(), 91u);
  EXPECT_EQ(all(tokens.valid), (std::vector<std::int32_t>{'b', 'b', 'b', 'b', '\n'}));
  EXPECT_EQ(all(tokens.test), (std::vector<std::int32_t>{'c', 'c'}));
  EXPECT_EQ(tokens.train.vocab(), 256u);
}

TEST_F(TextTask, EncodesTheSameTextOnce) {
  const std::string text = lines('a') + lines('b');
  text_tokens(config_of(put("own", text)), workspace());
  const int before = cached();
  text_tokens(config_of(put("copy", text)), workspace());
  EXPECT_EQ(cached(), before) << "the content counts, not the name";
  text_tokens(config_of(put("other", text + "c")), workspace());
  EXPECT_GT(cached(), before);
  text_tokens(config_of(path("own"), "words"), workspace());
  EXPECT_GT(cached(), before + 3);
}

TEST_F(TextTask, NumbersWordsOfAllPartsByTheTrainingText) {
  for (const char* split : {"train", "valid", "test"})
    put("own/" + std::string(split) + ".txt", "a " + std::string(split) + "\n");
  const TextTokens tokens = text_tokens(config_of(path("own"), "words"), workspace());
  EXPECT_EQ(all(tokens.train), (std::vector<std::int32_t>{0, 1, 2}));
  EXPECT_EQ(all(tokens.valid), (std::vector<std::int32_t>{0, 3, 2}));
  put("own/train.txt", "b a train\n");
  EXPECT_EQ(all(text_tokens(config_of(path("own"), "words"), workspace()).valid),
            (std::vector<std::int32_t>{1, 4, 3}));
}

// The releases differ in their names, and in <unk> and @-@; an article's heading is a line.
TEST_F(TextTask, ReadsBothReleasesOfWikiText) {
  const std::string words = " \n = Robert <unk> = \n \n a well @-@ known actor . \n",
                    raw = " \n = Robert Boulter = \n \n a well-known actor. \n";
  for (const char* split : {"train", "valid", "test"}) {
    put("elsewhere/wikitext-2/wiki." + std::string(split) + ".tokens", words);
    put("elsewhere/wikitext-2/wiki." + std::string(split) + ".raw", raw);
  }
  const auto size = [&](const std::string& settings) {
    const RunConfig config =
        parse_config("task.name = 'wikitext-2'\nmodel.code = 'ssm'\n" + settings, "my.toml", {},
                     ignore_of_text_task);
    return text_tokens(config, workspace()).valid.size();
  };
  EXPECT_EQ(size(""), 4u + 6 + 4) << "four words of a heading, six of a line, four ends of lines";
  EXPECT_EQ(size("task.format = 'raw'"), 4u + 3 + 4);
  EXPECT_EQ(size("task.tokens = 'bytes'"), words.size());
  EXPECT_EQ(size("task.tokens = 'bytes'\ntask.format = 'raw'"), raw.size());
}

TEST_F(TextTask, RebuildsADamagedCache) {
  const RunConfig config = config_of(put("own", lines('a')));
  text_tokens(config, workspace());
  for (const auto& entry : fs::directory_iterator(token_cache(workspace())))
    fs::resize_file(entry, 10);
  EXPECT_EQ(text_tokens(config, workspace()).train.size(), 182u);
}

// Tokens of an edited text under the name of the old one would be trained on silently.
TEST_F(TextTask, RefusesATextThatIsEditedWhileItIsRead) {
  std::string text;
  for (int i = 0; i < 2'000'000; ++i) text += "the same line\n";
  const std::string file = put("own", text);
  const fs::path cache = token_cache(workspace());
  std::thread editor([&] {
    const auto is_read = [&] {
      std::error_code none;
      for (const auto& entry : fs::directory_iterator(cache, none))
        if (entry.path().extension() == ".tmp") return true;
      return false;
    };
    while (!is_read()) std::this_thread::yield();
    std::fstream edited(file, std::ios::in | std::ios::out);
    edited.seekp(static_cast<std::streamoff>(text.size() * 8 / 10)) << "ANOTHER";
  });
  EXPECT_THROW(text_tokens(config_of(file), workspace()), std::runtime_error);
  editor.join();
  put("own", text);
  const std::vector<std::int32_t> train = all(text_tokens(config_of(file), workspace()).train);
  EXPECT_EQ(std::ranges::count(train, 'A'), 0);
}

TEST_F(TextTask, RefusesATextThatIsEditedAfterItWasPinned) {
  RunConfig config = config_of(put("own", lines('a')));
  pin_content(config, workspace());
  text_tokens(config, workspace());
  put("own", lines('b'));
  EXPECT_THROW(text_tokens(config, workspace()), std::invalid_argument);
}

TEST_F(TextTask, NamesTheMissingFilesOfGpt2) {
  EXPECT_THROW(text_tokens(config_of(put("own", lines('a')), "gpt2"), workspace()), DataMissing);
}

TEST_F(TextTask, IsIdentifiedByItsContent) {
  RunConfig first = config_of(put("own", lines('a'))), second = config_of(put("copy", lines('a'))),
            third = config_of(put("other", lines('b')));
  for (RunConfig* config : {&first, &second, &third}) pin_content(*config, workspace());
  EXPECT_EQ(run_id(first), run_id(second));
  EXPECT_NE(run_id(first), run_id(third));
  EXPECT_NO_THROW(pin_content(first, workspace())) << "the same as before";
  third.set_content(first.text("task.content"_key));
  EXPECT_THROW(pin_content(third, workspace()), std::invalid_argument);
}

TEST_F(TextTask, CutsBlocksThatPredictEveryTokenOnce) {
  write_tokens(path("tokens"), "abcdefg", *byte_tokenizer());
  const TokenFile file(path("tokens"));
  const TextBlocks blocks(file, 3);
  EXPECT_EQ(blocks.whole(), 2u);
  ASSERT_EQ(blocks.count(), 3u);
  std::vector<std::int32_t> inputs(3), targets(3);
  std::string seen;
  for (std::uint64_t i = 0; i < blocks.count(); ++i) {
    const std::int64_t size = blocks.copy(3 * i, inputs, targets);
    for (std::size_t t = 0; t < static_cast<std::size_t>(size); ++t)
      seen += std::string{static_cast<char>(inputs[t]), static_cast<char>(targets[t]), ' '};
  }
  EXPECT_EQ(seen, "\na ab bc cd de ef fg ");
}

TEST_F(TextTask, OfAnEmptyTextHasNoBlocks) {
  write_tokens(path("tokens"), "", *byte_tokenizer());
  const TokenFile file(path("tokens"));
  EXPECT_EQ(TextBlocks(file, 3).count(), 0u);
}

}  // namespace runner
