// GLUE's tables, in small files of each format.
#include "runner/data/datasets/check.h"
#include "runner/data/datasets/own_names.h"
#include "tests/runner/data/import/sample_files.h"

namespace fs = std::filesystem;

namespace runner {
namespace {

class Glue : public OthersFiles {
 protected:
  void take_sample(const std::string& name) {
    for (const SampleFormat& format : sample_formats())
      if (format.row.name == name) put(format.files), take(format.row);
  }
  static bool holds(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  }
};

}  // namespace

TEST_F(Glue, ReadsSentencesWithoutALineOfNames) {
  take_sample("glue-cola");
  const DataFile train = taken(Split::kTrain);
  ASSERT_EQ(train.examples(), 2u);
  EXPECT_EQ(train.sequence(0), "Our friends won't \"buy\" this.");
  EXPECT_EQ(train.label(0), 1u);
  EXPECT_EQ(train.label(1), 0u);
  EXPECT_EQ(taken(Split::kTest).sequence(0), taken(Split::kValid).sequence(0));
}

TEST_F(Glue, ReadsPairs) {
  take_sample("glue-mrpc");
  const DataFile train = taken(Split::kTrain);
  ASSERT_EQ(train.examples(), 2u);
  EXPECT_EQ(train.shape().sequences, 2u);
  EXPECT_EQ(train.sequence(0, 0), "He said so .");
  EXPECT_EQ(train.sequence(0, 1), "\"So\" he said .");
  EXPECT_EQ(train.label(1), 0u);
}

TEST_F(Glue, LeavesOutBrokenLinesOfQuestionsOnly) {
  take_sample("glue-qqp");
  EXPECT_EQ(taken(Split::kTrain).examples(), 2u);  // of three lines
  put("train.tsv", "index\tquestion\tsentence\tlabel\n0\tWho?\tI did.\tentailment\n1\tWhy?\n");
  EXPECT_TRUE(holds(refusal("glue-qnli"), "train.tsv' line 3: expected 4 fields, got 2 fields"));
}

TEST_F(Glue, KeepsTheMismatchedOnesApartInTheTest) {
  take_sample("glue-mnli");
  EXPECT_EQ(taken(Split::kValid).examples(), 1u);
  EXPECT_EQ(taken(Split::kTest).examples(), 3u);
  EXPECT_EQ(first_apart(taken(Split::kTest).recipe()), 1u);
  EXPECT_EQ(first_apart(taken(Split::kValid).recipe()), std::nullopt);
  EXPECT_EQ(taken(Split::kTest).label(0), 2u);  // neutral, after contradiction and entailment
  EXPECT_EQ(taken(Split::kTest).label(2), 0u);
  EXPECT_TRUE(check_dataset(to()).mistakes.empty());
}

TEST_F(Glue, NamesTheLineOfAMistake) {
  const auto with = [&](const std::string& train) {
    put("train.tsv", train);
    put("dev.tsv", "sentence\tlabel\na\t1\n");
    return refusal("glue-sst2");
  };
  EXPECT_TRUE(holds(with("sentence\tlabel\nfine\t2\n"),
                    "train.tsv' line 2: expected one of the labels 0 1, got '2'"));
  EXPECT_TRUE(holds(with("sentence\tlabel\n\t1\n"), "line 2: expected a text, got an empty one"));
  EXPECT_TRUE(holds(with("text\tlabel\nfine\t1\n"), "line 1: expected a column 'sentence'"));
  EXPECT_TRUE(holds(with("sentence\tlabel\n\xff\t1\n"), "line 2: expected UTF-8"));
  EXPECT_TRUE(holds(with("sentence\tlabel\n"), "train.tsv': expected examples, got none"));
  EXPECT_TRUE(holds(with(""), "train.tsv': expected examples, got none"));
  EXPECT_TRUE(holds(with(std::string(200, '\t')), "line 1: expected at most 100 columns, got 201"));
  fs::remove(from() / "dev.tsv");
  put("train.tsv", "sentence\tlabel\na\t1\n");
  EXPECT_TRUE(holds(refusal("glue-sst2"), "dev.tsv': expected a file, got none"));
  EXPECT_FALSE(fs::exists(to()));
}

}  // namespace runner
