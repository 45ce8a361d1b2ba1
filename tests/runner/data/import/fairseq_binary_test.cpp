#include "runner/data/import/fairseq_binary.h"

#include "tests/runner/data/import/sample_files.h"

namespace fs = std::filesystem;

namespace runner {
namespace {

class Mega : public OthersFiles {
 protected:
  void SetUp() override { put(files); }
  std::string with(const std::string& name, const std::string& bytes,
                   const char* row = "mega-listops") {
    put(name, bytes);
    const std::string text = refusal(row);
    put(name, files[name]);
    EXPECT_FALSE(fs::exists(to())) << text;
    return text;
  }
  Files files = sample_mega_texts();
};

}  // namespace

TEST_F(Mega, TextsKeepTheirNumbers) {
  take("mega-listops");
  const DataFile train = taken(Split::kTrain);
  ASSERT_EQ(train.examples(), 2u);
  EXPECT_EQ(train.sequence(0), "\x04\x05\x02");
  EXPECT_EQ(train.label(0), 0u);
  EXPECT_EQ(train.label(1), 1u);
  EXPECT_EQ(train.shape().vocabulary, 7u);
  EXPECT_TRUE(has(std::string(train.recipe()), R"("labels":["1","0"])")) << train.recipe();
}

TEST_F(Mega, PairsHaveTwoTexts) {
  take("mega-retrieval");
  EXPECT_EQ(taken(Split::kTest).sequence(0, 0), "\x04\x05\x02");
  EXPECT_EQ(taken(Split::kTest).sequence(0, 1), "\x06\x06\x04\x02");
}

TEST_F(Mega, AnIndexIsHeldAgainstItsFile) {
  const std::string index = files["src-bin/train.idx"];
  EXPECT_TRUE(has(with("src-bin/train.idx", "TNTIDX" + std::string(30, '\0')),
                  "at byte 0: expected the mapped format of fairseq"));
  EXPECT_TRUE(has(with("src-bin/train.idx", "x" + index), "expected an index of fairseq, got"));
  EXPECT_TRUE(has(with("src-bin/train.idx", index.substr(0, 20)), "expected a header of 26 bytes"));
  EXPECT_TRUE(has(with("src-bin/train.idx", index.substr(0, 40)),
                  "at byte 18: expected 12 bytes for each of 2 sequences, got 14 bytes"));
  std::string other = index;
  other[17] = 6;
  EXPECT_TRUE(has(with("src-bin/train.idx", other), "at byte 17: expected an integer type"));
  other = index;
  other[9] = 2;
  EXPECT_TRUE(has(with("src-bin/train.idx", other), "at byte 9: expected version 1, got 2"));
  other = index;
  other[18 + 7] = '\x40';  // 2^62 sequences
  EXPECT_TRUE(has(with("src-bin/train.idx", other), "at byte 18: expected 12 bytes for each of"));
  other = index;
  other[26] = '\x7f';
  EXPECT_TRUE(has(with("src-bin/train.idx", other), "sequence 0: expected one after the other"));
  EXPECT_TRUE(has(with("src-bin/train.bin", files["src-bin/train.bin"] + "zz"),
                  "train.bin' at byte 10: expected the end, as the index says, got 2 more bytes"));
}

TEST_F(Mega, NumbersAreOnesOfTheDictionary) {
  Files other;
  put_fairseq({{4, 7, 2}, {6, 2}}, "src-bin/train", &other);
  EXPECT_TRUE(has(with("src-bin/train.bin", other["src-bin/train.bin"]),
                  "train.bin' sequence 0: expected numbers below 7, as the dictionary has, got 7"));
  put_fairseq({{3, 2}, {5, 2}}, "label-bin/valid", &other);
  EXPECT_TRUE(has(with("label-bin/valid.bin", other["label-bin/valid.bin"]),
                  "expected one token of the dictionary, from 4 to 5, got 3"));
  EXPECT_TRUE(has(with("src-bin/dict.txt", "a 9\nb\n"), "dict.txt' line 2: expected a token"));
}

TEST_F(Mega, EveryTextHasALabel) {
  Files other;
  put_fairseq({{4, 2}}, "label-bin/train", &other);
  put("label-bin/train.bin", other["label-bin/train.bin"]);
  EXPECT_TRUE(has(with("label-bin/train.idx", other["label-bin/train.idx"]),
                  "train.bin': expected 1 sequences, one per label, got 2"));
}

TEST_F(Mega, PicturesAreLinesOfNumbers) {
  IntakeRow row;
  for (const SampleFormat& format : sample_formats())
    if (format.row.name == "mega-pathfinder") row = format.row, put(format.files);
  take(row);
  EXPECT_EQ(taken(Split::kTrain).examples(), 2u);
  EXPECT_EQ(taken(Split::kTrain).sequence(1)[15], '\x0f');
  EXPECT_EQ(taken(Split::kTrain).label(1), 1u);
  fs::remove_all(to());
  put("input/valid.src", "1 2 3\n");
  EXPECT_TRUE(has(refusal(row), "valid.src' line 1: expected 16 numbers, got 3"));
  put("input/valid.src", "1 2 256\n");
  EXPECT_TRUE(has(refusal(row), "line 1: expected numbers from 0 to 255, got '256'"));
  put("input/valid.src", std::string(100'000, '1'));
  EXPECT_NE(refusal(row), "");
  put("input/valid.src", "");
  EXPECT_TRUE(has(refusal(row), "valid.label': expected 0 labels, one per picture, got 2"));
  EXPECT_FALSE(fs::exists(to()));
}

}  // namespace runner
