// Pairs of sentences, in small files of each format.
#include "runner/data/datasets/check.h"
#include "tests/runner/data/import/sample_files.h"

namespace runner {
namespace {

class SentencePairs : public OthersFiles {
 protected:
  void put_sample(const std::string& name) {
    for (const SampleFormat& format : sample_formats())
      if (format.row.name == name) put(format.files);
  }
  static bool holds(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  }
};

}  // namespace

TEST_F(SentencePairs, ReadsNewsWithoutSubwordsAndAsPublished) {
  put_sample("wmt16-en-de");
  take("wmt16-en-de");
  const DataFile train = taken(Split::kTrain), test = taken(Split::kTest);
  ASSERT_EQ(train.examples(), 2u);
  EXPECT_EQ(train.shape().sequences, 2u);
  EXPECT_EQ(train.sequence(0, 0), "the house is old .");
  EXPECT_EQ(train.sequence(0, 1), "das Haus ist alt .");
  EXPECT_EQ(taken(Split::kValid).sequence(0, 0), "a house\na house");
  EXPECT_EQ(test.sequence(0, 0), "Yes , a house !\nYes, a house!");
  EXPECT_EQ(test.sequence(0, 1), "Ja , ein Haus !\nJa, ein Haus!");
  EXPECT_TRUE(check_dataset(to()).mistakes.empty());
}

TEST_F(SentencePairs, ReadsTables) {
  put_sample("translate");
  take("translate");
  EXPECT_EQ(taken(Split::kTrain).sequence(1, 0), "yes");
  EXPECT_EQ(taken(Split::kTrain).sequence(1, 1), "ja");
  EXPECT_EQ(taken(Split::kTest).examples(), 1u);
}

TEST_F(SentencePairs, AByteOrderMarkIsNoPartOfASentence) {
  put_sample("translate");
  put("train.tsv",
      "\xef\xbb\xbf"
      "a\tb\n");
  take("translate");
  EXPECT_EQ(taken(Split::kTrain).sequence(0, 0), "a");
}

TEST_F(SentencePairs, NamesTheLineOfAMistake) {
  put_sample("translate");
  put("train.tsv", "a\tb\nc\n");
  EXPECT_TRUE(
      holds(refusal("translate"),
            "train.tsv' line 2: expected two sentences with a tab between them, got 1 fields"));
  put("train.tsv", "a\t \n");
  EXPECT_TRUE(holds(refusal("translate"), "line 1: expected a sentence, got an empty line"));
  put("train.tsv", "a\t\xff\n");
  EXPECT_TRUE(holds(refusal("translate"), "line 1: expected UTF-8"));
  put("train.tsv", "");
  EXPECT_TRUE(holds(refusal("translate"), "train.tsv': expected pairs of sentences, got none"));
}

TEST_F(SentencePairs, NeedsAsManyLinesInBothLanguages) {
  put_sample("wmt16-en-de");
  put("train.tok.clean.bpe.32000.de", "das\n");
  EXPECT_TRUE(holds(refusal("wmt16-en-de"),
                    "bpe.32000.de': expected 2 lines, as the other language has, got 1"));
  put_sample("wmt16-en-de");
  put("newstest2014.en", "Yes!\nNo!\n");
  EXPECT_TRUE(holds(refusal("wmt16-en-de"),
                    "newstest2014.en': expected 1 lines, as the other language has, got 2"));
  EXPECT_FALSE(std::filesystem::exists(to()));
}

}  // namespace runner
