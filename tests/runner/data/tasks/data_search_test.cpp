#include "runner/data/tasks/data_search.h"

#include <gtest/gtest.h>

#include "runner/config/keys/task_rows.h"
#include "tests/message_of.h"
#include "tests/runner/data/tasks/data_folder.h"

namespace runner {
namespace {

void ignore(const std::string&) {}

RunConfig config_of(const std::string& task, const std::string& more = "") {
  return parse_config("task.name = '" + task + "'\nmodel.code = 'ssm'\n" + more, "my.toml", {},
                      ignore);
}

class DataSearch : public DataFolder {
 protected:
  TextParts texts(const RunConfig& config) { return find_texts(config, workspace()); }

  std::string missing(const RunConfig& config) {
    return message_of<DataMissing>([&] { texts(config); });
  }
};

}  // namespace

TEST_F(DataSearch, FindsTheTextsInTheWorkspaceThenInLcsmData) {
  for (const char* split : {"train", "valid", "test"})
    put("elsewhere/wikitext-2/" + std::string(split) + ".txt", split);
  const RunConfig config = config_of("wikitext-2");
  EXPECT_EQ(texts(config)[1].file, path("elsewhere/wikitext-2/valid.txt"));
  EXPECT_EQ(texts(config)[1].end, 5u);
  put("workspace/data/wikitext-2/wiki.valid.tokens", "x");
  EXPECT_EQ(texts(config)[1].file, path("workspace/data/wikitext-2/wiki.valid.tokens"));
}

TEST_F(DataSearch, SearchesForTheRequestedFormat) {
  for (const char* name : {"wiki.train.raw", "wiki.valid.raw", "wiki.test.raw"})
    put("elsewhere/wikitext-2/" + std::string(name), name);
  EXPECT_EQ(texts(config_of("wikitext-2", "task.format = 'raw'"))[0].file,
            path("elsewhere/wikitext-2/wiki.train.raw"));
  EXPECT_NE(missing(config_of("wikitext-2")), "");
}

TEST_F(DataSearch, WithAPathSearchesOnlyThere) {
  for (const char* split : {"train", "valid", "test"})
    put("own/" + std::string(split) + ".txt", split);
  EXPECT_EQ(texts(config_of("text", "task.path = '" + path("own") + "'"))[0].file,
            path("own/train.txt"));
  put("elsewhere/wikitext-2/train.txt", "");
  std::filesystem::create_directory(path("none"));
  const std::string message =
      missing(config_of("wikitext-2", "task.path = '" + path("none") + "'"));
  EXPECT_NE(message.find("got none in '" + path("none") + "', '" + path("none/wikitext-2") + "'"),
            std::string::npos)
      << message;
}

TEST_F(DataSearch, NamesTheFileItsSourceAndItsSize) {
  EXPECT_EQ(missing(config_of("wikitext-103")),
            "wikitext-103 needs wiki.train.raw (540 MB of raw text for training, 1.1 and 1.3 MB), "
            "got none in '" +
                path("workspace/data/wikitext-103") + "', '" + path("elsewhere/wikitext-103") +
                "'; it comes from wikitext-103-raw-v1.zip (192 MB) of "
                "https://wikitext.smerity.com, by `lcsm data get wikitext-103-raw --from "
                "wikitext-103-raw-v1.zip`: put it there, or set LCSM_DATA to a folder that holds "
                "wikitext-103/");
}

TEST_F(DataSearch, NamesTheCommandThatFetchesASmallText) {
  const std::string message = missing(config_of("tiny-shakespeare"));
  EXPECT_NE(message.find(": `lcsm data get tiny-shakespeare` fetches it, or put it there"),
            std::string::npos)
      << message;
}

TEST_F(DataSearch, RequestsAUsersText) {
  EXPECT_EQ(missing(config_of("text", "task.path = '" + path("none") + "'")),
            "task.path: expected a file or a folder, got none at '" + path("none") + "'");
  EXPECT_EQ(missing(config_of("text", "task.path = 'no/such.txt'")),
            "task.path: expected a file or a folder, got none at '" +
                (std::filesystem::current_path() / "no/such.txt").string() + "'");
  std::filesystem::create_directory(path("empty"));
  EXPECT_EQ(missing(config_of("text", "task.path = '" + path("empty") + "'")),
            "text needs train.txt (your own texts), got none in '" + path("empty") + "', '" +
                path("empty/text") +
                "'; set task.path to the file, or to a folder that holds these");
}

TEST_F(DataSearch, FindsAnArchiveToUnpack) {
  const std::string packed = put("elsewhere/wikitext-2/train.txt.xz", "");
  EXPECT_NE(missing(config_of("wikitext-2")).find("found '" + packed + "': unpack it"),
            std::string::npos);
}

TEST_F(DataSearch, CutsOneFileAtTheEndsOfLines) {
  std::string text;
  for (int line = 0; line < 100; ++line) text += std::string(9, 'a' + line % 26) + "\n";
  const std::string file = put("own.txt", text);
  const TextParts parts = texts(config_of("text", "task.path = '" + file + "'"));
  EXPECT_EQ(parts[0].begin, 0u);
  EXPECT_EQ(parts[0].end, 910u);
  EXPECT_EQ(parts[1].begin, 910u);
  EXPECT_EQ(parts[1].end, 960u);
  EXPECT_EQ(parts[2].end, 1000u);
}

// A run on it would report no validation and no test metric.
TEST_F(DataSearch, RefusesATextWithAnEmptyPart) {
  const auto refusal = [&](const std::string& name) {
    return missing(config_of("text", "task.path = '" + path(name) + "'"));
  };
  put("one.txt", std::string(1000, 'a'));
  EXPECT_EQ(refusal("one.txt"),
            "'" + path("one.txt") +
                "' leaves no text to validate and test on: it is cut at line ends into 90, 5 and 5 "
                "percent of its bytes; add line ends, or set task.path to a folder with a file for "
                "each part");
  put("two.txt", std::string(900, 'a') + "\n" + std::string(99, 'b') + "\n");
  EXPECT_NE(refusal("two.txt").find("leaves no text"), std::string::npos);
  put("none.txt", "");
  EXPECT_EQ(refusal("none.txt"), "'" + path("none.txt") + "' is empty: expected text");
  for (const char* part : {"train", "valid", "test"}) put(std::string("f/") + part + ".txt", "a\n");
  EXPECT_EQ(refusal("f"), "");
  put("f/valid.txt", "");
  EXPECT_EQ(refusal("f"), "'" + path("f/valid.txt") + "' is empty: expected text");
}

// A model of bytes would learn the bytes of the archive.
TEST_F(DataSearch, RefusesAPackedText) {
  using std::string_literals::operator""s;
  const std::string rest = "\npacked\n" + std::string(1000, '\n');
  const std::vector<std::pair<std::string, std::string>> formats = {
      {"\x1f\x8b\x08"s, "gzip"}, {"\x28\xb5\x2f\xfd"s, "zstd"}, {"\xfd\x37\x7a\x58\x5a\x00"s, "xz"},
      {"BZh9"s, "bzip2"},        {"PK\x03\x04"s, "zip"},        {"PAR1"s, "parquet"}};
  for (const auto& [begin, format] : formats) {
    const std::string file = put("packed.txt", begin + rest);
    EXPECT_EQ(missing(config_of("text", "task.path = '" + file + "'")),
              "'" + file + "': expected plain text, got " + format + "; unpack it");
  }
  for (const char* part : {"train", "valid"}) put(std::string("f/") + part + ".txt", "a\n");
  const std::string test = put("f/test.txt", "BZh9" + rest);
  EXPECT_EQ(missing(config_of("text", "task.path = '" + path("f") + "'")),
            "'" + test + "': expected plain text, got bzip2; unpack it");
}

TEST_F(DataSearch, HasARowForEveryTaskThatReads) {
  for (const TaskRow& task : kTaskRows) {
    if (task.reader != "text") continue;
    for (const TextSource& row : task.texts) {
      const std::string format =
          row.format.empty() ? "" : "task.format = '" + std::string(row.format) + "'";
      const std::string message = missing(config_of(std::string(task.name), format));
      const char* how = row.from.empty() ? "set task.path" : "`lcsm data get ";
      EXPECT_NE(message.find(how), std::string::npos) << message;
    }
  }
}

TEST_F(DataSearch, FindsTheFilesOfGpt2) {
  EXPECT_THROW(find_gpt2_files(workspace()), DataMissing);
  put("elsewhere/gpt2-bpe/vocab.bpe", "");
  put("elsewhere/gpt2-bpe/dict.txt", "");
  EXPECT_EQ(find_gpt2_files(workspace()).dictionary, path("elsewhere/gpt2-bpe/dict.txt"));
}

}  // namespace runner
