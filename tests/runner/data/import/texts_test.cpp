#include "runner/data/import/texts.h"

#include "runner/data/import/found.h"
#include "runner/data/import/readers.h"
#include "tests/runner/data/import/sample_files.h"
#include "tests/runner/shared_files.h"

namespace fs = std::filesystem;

namespace runner {
namespace {

class Texts : public OthersFiles {
 protected:
  IntakeRow wiki(std::array<std::uint64_t, 3> words) const {
    IntakeRow row = *find_intake("wikitext-2");
    row.words = words;
    return row;
  }
  void put_wiki() const {
    for (const SampleFormat& format : sample_formats())
      if (format.row.name == "wikitext-2") put(format.files);
  }
};

Taken read_ten(const IntakeRow&, const fs::path& from, Sha256& contents) {
  return read_cut_text({"whole", "<", {5, 3, 2}, sha256_hex("<a>bcdefgh")}, from, contents);
}

}  // namespace

TEST_F(Texts, FactsCountWordsAndEnds) {
  const TextFacts facts = text_facts(" \n = A = \n a <unk> a");
  EXPECT_EQ(facts.bytes, 20u);
  EXPECT_EQ(facts.lines, 3u);
  EXPECT_EQ(facts.words, 9u);
  EXPECT_EQ(facts.unknown, 1u);
  EXPECT_EQ(facts.distinct, 5u);  // = A a <unk> <eos>
  EXPECT_EQ(text_facts("").distinct, 0u);
}

TEST_F(Texts, WikiTextStaysAsItIs) {
  put_wiki();
  take(wiki({11, 5, 5}));
  for (const char* name : {"wiki.train.tokens", "wiki.valid.tokens", "wiki.test.tokens"})
    EXPECT_EQ(read_file(to() / name), read_file(from() / name));
  take(wiki({11, 5, 5}));
  put("wiki.test.tokens", " \n = Else = \n");
  EXPECT_TRUE(has(refusal(wiki({11, 5, 5})), "already exists with other contents"));
}

TEST_F(Texts, ATruncatedReleaseIsRefused) {
  put_wiki();
  EXPECT_TRUE(has(refusal(wiki({12, 5, 5})),
                  "wiki.train.tokens' at byte 33: expected 12 words and ends of lines so far, as "
                  "released, got 11"))
      << refusal(wiki({12, 5, 5}));
  put("wiki.valid.tokens", " \n = \xff = \n");
  EXPECT_TRUE(has(refusal(wiki({})), "wiki.valid.tokens' at byte 5: expected UTF-8"));
  put("wiki.valid.tokens", "<html>\n");
  EXPECT_TRUE(has(refusal(wiki({})), "expected a title between ' = '"));
  EXPECT_FALSE(fs::exists(to()));
}

TEST_F(Texts, OneFileIsCut) {
  IntakeRow row = *find_intake("enwik8");
  row.read = read_ten;
  put("whole", "<a>bcdefgh");
  take(row);
  EXPECT_EQ(read_file(to() / "train.txt"), "<a>bc");
  EXPECT_EQ(read_file(to() / "valid.txt"), "def");
  EXPECT_EQ(read_file(to() / "test.txt"), "gh");
  put("whole", "<a>bcdefg");
  EXPECT_TRUE(has(refusal(row), "whole': expected 10 bytes, got 9"));
  put("whole", "<a>bcdefgx");
  EXPECT_TRUE(has(refusal(row), "expected the SHA-256 "));
  put("whole", "xa>bcdefgh");
  EXPECT_TRUE(has(refusal(row), "at byte 0: expected '<'"));
}

TEST_F(Texts, AreFoundUnderTheNamesThatTasksKnow) {
  const fs::path place = from() / "data/wikitext-2";
  const IntakeRow& row = *find_intake("wikitext-2");
  EXPECT_FALSE(find_row_texts(row, from()).any);
  put("data/wikitext-2/train.txt", "a");
  EXPECT_TRUE(find_row_texts(row, from()).any);
  EXPECT_TRUE(find_row_texts(row, from()).parts[0].file.empty());
  put("data/wikitext-2/wiki.valid.tokens", "b");
  put("data/wikitext-2/test.txt", "c");
  const FoundTexts found = find_row_texts(row, from());
  EXPECT_EQ(found.folder, place);
  EXPECT_EQ(found.parts[0].file, place / "train.txt");
  EXPECT_EQ(found.parts[1].file, place / "wiki.valid.tokens");
  EXPECT_FALSE(find_row_texts(*find_intake("wikitext-2-raw"), from()).any);
}

TEST_F(Texts, ASingleFileIsCutAsItsTaskDoes) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "line\n";
  put("data/tiny-shakespeare/input.txt", text);
  const FoundTexts found = find_row_texts(*find_intake("tiny-shakespeare"), from());
  EXPECT_EQ(found.parts[0].end, 455u);
  EXPECT_EQ(found.parts[2].begin, 480u);
  EXPECT_EQ(found.parts[2].end, 500u);
}

TEST_F(Texts, TheRealWikiTextHasItsWords) {
  const fs::path real = shared_file("data/wikitext-2");
  if (!fs::exists(real / "train.txt.xz")) GTEST_SKIP() << real << " is not there";
  const std::string unpacked = (from() / "wiki.train.tokens").string();
  fs::create_directories(from());
  const Ran ran = run_program(
      {"/bin/sh", "-c", "xz -dc " + (real / "train.txt.xz").string() + " >" + unpacked});
  if (ran.status != 0) GTEST_SKIP() << "xz: " << ran.err;
  put("wiki.valid.tokens", read_file(real / "valid.txt"));
  put("wiki.test.tokens", read_file(real / "test.txt"));
  take("wikitext-2");
  const TextFacts train = text_facts(read_file(to() / "wiki.train.tokens"));
  EXPECT_EQ(train.bytes, 10'797'148u);
  EXPECT_EQ(train.words, 2'088'628u);
  EXPECT_EQ(train.distinct, 33'278u);
  EXPECT_EQ(text_facts(read_file(to() / "wiki.valid.tokens")).words, 217'646u);
  EXPECT_EQ(text_facts(read_file(to() / "wiki.test.tokens")).words, 245'569u);
}

}  // namespace runner
