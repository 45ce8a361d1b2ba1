#include "runner/data/import/intake.h"

#include "runner/data/datasets/check.h"
#include "runner/data/import/random_split.h"
#include "tests/results/kill_at_write.h"
#include "tests/runner/data/import/others_files.h"
#include "tests/runner/shared_files.h"

namespace fs = std::filesystem;

namespace runner {
namespace {

class Intake : public OthersFiles {
 protected:
  void put_listops() const {
    const std::string head = "Source\tTarget\n";
    put("basic_train.tsv", head + "( ( ( [MAX 2 ) 9 ) ] )\t9\r\n( ( [SM 7 ) ] )\t7\n");
    put("basic_val.tsv", head + "[MIN 5 3 X\t3");
    put("basic_test.tsv", head + "4\t4\n");
  }
  void put_cifar(int rows) const {
    for (const char* name : {"data_batch_1.bin", "data_batch_2.bin", "data_batch_3.bin",
                             "data_batch_4.bin", "data_batch_5.bin", "test_batch.bin"}) {
      std::string bytes;
      for (int i = 0; i < rows; ++i)
        bytes += static_cast<char>(i % 10) + std::string(1024, '\xff') + std::string(1024, '\x40') +
                 std::string(1024, static_cast<char>(i));
      put(name, bytes);
    }
  }
  void put_reviews(int count) const {
    for (const char* folder : {"train/neg/", "train/pos/", "test/neg/", "test/pos/"})
      for (int i = 0; i < count; ++i)
        put(folder + std::to_string(i) + "_1.txt", folder + std::to_string(i) + " \xc3\xa9");
  }
};

}  // namespace

TEST_F(Intake, TakesPairsOfPapers) {
  const std::string more(10100, 'x');
  put("new_aan_pairs.train.tsv",
      "1.0\ta\tb\tfirst\tsecond\n0.0\ta\tc\tone \"quoted\t" + more + "\n");
  put("new_aan_pairs.eval.tsv", "0.0\ta\tb\tt\tu");
  put("new_aan_pairs.test.tsv", "1.0\ta\tb\tv\tw\n");
  take("lra-retrieval");
  const DataFile train = taken(Split::kTrain);
  ASSERT_EQ(train.examples(), 2u);
  EXPECT_EQ(train.label(0), 1u);
  EXPECT_EQ(train.sequence(0, 1), "second");
  EXPECT_EQ(train.sequence(1, 0), "one \"quoted");
  EXPECT_EQ(train.steps_of(1, 1), 10000u);
  put("new_aan_pairs.test.tsv", "2\ta\tb\tv\tw\n");
  EXPECT_NE(refusal("lra-retrieval").find("the label 0.0 or 1.0"), std::string::npos);
}

TEST_F(Intake, ReadsReleasedExpressions) {
  put_listops();
  take("lra-listops");
  EXPECT_EQ(taken(Split::kTrain).examples(), 2u);
  EXPECT_EQ(taken(Split::kTrain).sequence(0), "\x0b\x02\x09\x0e");
  EXPECT_EQ(taken(Split::kTrain).label(0), 9u);
  EXPECT_EQ(taken(Split::kValid).label(0), 3u);
  EXPECT_EQ(taken(Split::kTest).sequence(0), "\x04");
  const DatasetFacts facts = check_dataset(to());
  EXPECT_TRUE(facts.mistakes.empty());
  EXPECT_EQ(facts.splits.at(0).evaluated, 2u);
}

TEST_F(Intake, NamesTheLineOfAWrongExpression) {
  put_listops();
  const auto with = [&](const std::string& line) {
    put("basic_val.tsv", "Source\tTarget\n1\t1\n" + line);
    return refusal("lra-listops");
  };
  EXPECT_TRUE(has(with("[MAX 2 9 ]\t2"), "basic_val.tsv' line 3: expected the value 9, got 2"));
  EXPECT_TRUE(has(with("[MAX 2 9 ]"), "line 3: expected an expression, a tab, a value"));
  EXPECT_TRUE(has(with("[MAX 2 9\t9"), "line 3: token 3: expected ']', got the end"));
  EXPECT_TRUE(has(with("[MAX 2 9 ]\t10"), "line 3: expected a value from 0 to 9, got '10'"));
  put("basic_val.tsv", "1\t1\n");
  EXPECT_TRUE(has(refusal("lra-listops"), "line 1: expected 'Source', a tab, 'Target'"));
  fs::remove(from() / "basic_val.tsv");
  EXPECT_TRUE(has(refusal("lra-listops"), "basic_val.tsv': expected a file, got none"));
  EXPECT_FALSE(fs::exists(to()));
}

TEST_F(Intake, ReadsPicturesInGrey) {
  put_cifar(4);
  take("lra-image");
  EXPECT_EQ(taken(Split::kTrain).examples(), 18u);
  EXPECT_EQ(taken(Split::kValid).examples(), 2u);
  EXPECT_EQ(taken(Split::kTest).examples(), 4u);
  EXPECT_EQ(taken(Split::kTest).label(3), 3u);
  // (0.2989 + 0.587 * 64 / 255 + 0.114 * 3 / 255) * 255.5, cut
  EXPECT_EQ(taken(Split::kTest).sequence(3), std::string(1024, '\x72'));
  EXPECT_TRUE(check_dataset(to()).mistakes.empty());
}

TEST_F(Intake, ReadsPicturesInColour) {
  put_cifar(4);
  take("cifar-10");
  const DataFile test = taken(Split::kTest);
  EXPECT_EQ(taken(Split::kTrain).examples(), 18u);
  EXPECT_EQ(test.shape().channels, 3u);
  EXPECT_EQ(test.steps_of(3), 1024u);
  EXPECT_EQ(test.sequence(3).substr(0, 6), "\xff\x40\x03\xff\x40\x03");
  EXPECT_EQ(check_dataset(to()).splits.at(0).names.at(9), "truck");
  EXPECT_TRUE(check_dataset(to()).mistakes.empty());
}

TEST_F(Intake, ReadsPicturesAsS4Does) {
  put_cifar(4);
  take("lra-image-s4");
  EXPECT_EQ(taken(Split::kTrain).examples(), 18u);
  const auto splits = torch_split(20, 0.1, 0, 42);
  ASSERT_EQ(taken(Split::kValid).examples(), 2u);
  for (const std::uint64_t i : {0, 1}) {
    const std::uint32_t picture = splits[1][i];
    EXPECT_EQ(taken(Split::kValid).label(i), picture % 4);
    // (19595 * 255 + 38470 * 64 + 7471 * blue + 2^15) / 2^16, cut
    EXPECT_EQ(static_cast<unsigned char>(taken(Split::kValid).sequence(i)[0]),
              (19595 * 255 + 38470 * 64 + 7471 * (picture % 4) + 32768) / 65536);
  }
  EXPECT_EQ(taken(Split::kTest).examples(), 4u);
}

TEST_F(Intake, NamesTheByteOfAWrongPicture) {
  put_cifar(2);
  put("test_batch.bin", std::string(3073, '\0') + std::string(3073, '\x0a'));
  EXPECT_TRUE(has(refusal("lra-image"),
                  "test_batch.bin' at byte 3073: expected a label from 0 to 9, got 10"));
  put("test_batch.bin", std::string(3080, '\0'));
  EXPECT_TRUE(has(refusal("lra-image"), "at byte 3073: expected rows of 3073 bytes, got 7 bytes"));
}

TEST_F(Intake, RealPicturesKeepTheirLabels) {
  const fs::path real = shared_file("data/cifar10-gray/rgb_first1000.bin");
  if (!fs::exists(real)) GTEST_SKIP() << real << " is not there";
  const std::string bytes = read_file(real);
  put_cifar(0);
  put("data_batch_1.bin", bytes);
  take("lra-image");
  EXPECT_EQ(taken(Split::kTrain).examples(), 900u);
  for (std::uint64_t i = 0; i < 100; ++i)
    EXPECT_EQ(taken(Split::kValid).label(i), static_cast<unsigned char>(bytes[(900 + i) * 3073]));
  EXPECT_TRUE(check_dataset(to()).mistakes.empty());
}

TEST_F(Intake, ValidationOfThePapersIsTheTest) {
  put_reviews(20);
  take("lra-text");
  EXPECT_EQ(taken(Split::kTrain).examples(), 40u);
  EXPECT_EQ(taken(Split::kTrain).sequence(1), "train/pos/0 \xc3\xa9");
  EXPECT_EQ(taken(Split::kTrain).label(1), 1u);
  const DatasetFacts facts = check_dataset(to());
  EXPECT_TRUE(facts.mistakes.empty());
  EXPECT_EQ(facts.splits.at(1).examples, 40u);
  EXPECT_EQ(facts.splits.at(2).shared, 40u);
}

TEST_F(Intake, AnHonestValidationIsATenthOfTheTraining) {
  put_reviews(20);
  take("imdb");
  EXPECT_EQ(taken(Split::kTrain).examples(), 36u);
  EXPECT_EQ(taken(Split::kValid).examples(), 4u);
  EXPECT_EQ(taken(Split::kTest).examples(), 40u);
  const DatasetFacts facts = check_dataset(to());
  EXPECT_TRUE(facts.mistakes.empty());
  EXPECT_EQ(facts.splits.at(1).shared + facts.splits.at(2).shared, 0u);
  EXPECT_EQ(facts.splits.at(1).labels, (std::vector<std::uint64_t>{2, 2}));
}

TEST_F(Intake, FollowsNoLinkAndReadsNoGiant) {
  put_reviews(2);
  put("secret", "elsewhere");
  fs::create_symlink(from() / "secret", from() / "train/neg/2_1.txt");
  EXPECT_TRUE(has(refusal("imdb"), "2_1.txt': expected a file, got a symbolic link"));
  fs::remove(from() / "train/neg/2_1.txt");
  put("test/pos/9_1.txt", "");
  fs::resize_file(from() / "test/pos/9_1.txt", 2 << 20);
  EXPECT_TRUE(has(refusal("imdb"), "9_1.txt': expected at most 1048576 bytes, got 2097152"));
  fs::remove_all(from() / "test/pos");
  fs::create_directory_symlink(from() / "train/pos", from() / "test/pos");
  EXPECT_TRUE(has(refusal("imdb"), "expected a folder of reviews, got none, or a symbolic link"));
  EXPECT_FALSE(fs::exists(to()));
}

TEST_F(Intake, KeepsWhatIsThereAndRefusesOtherContents) {
  put_listops();
  take("lra-listops");
  fs::remove(split_file(to(), Split::kValid));  // as if it had been interrupted
  take("lra-listops");
  EXPECT_EQ(taken(Split::kValid).examples(), 1u);
  put("basic_test.tsv", "Source\tTarget\n5\t5\n");
  EXPECT_TRUE(has(refusal("lra-listops"), "already exists with other contents"));
  EXPECT_EQ(taken(Split::kTest).label(0), 4u);
}

TEST_F(Intake, CharactersOfReviewsAreThoseOfS4) {
  put_reviews(20);
  take("lra-text-characters");
  const DataFile train = taken(Split::kTrain);
  // "train/neg/0 \xc3\xa9": digits beyond 0 and 1 are there less than 15 times.
  EXPECT_EQ(train.examples(), 40u);
  EXPECT_EQ(train.steps_of(0), 14u);
  EXPECT_EQ(train.sequence(0).back(), '\x02');
  EXPECT_TRUE(check_dataset(to()).mistakes.empty());
  put("train/neg/0_1.txt", "caf\xe9");
  fs::remove_all(to());
  EXPECT_TRUE(has(refusal("lra-text-characters"), "0_1.txt' at byte 3: expected UTF-8"));
  EXPECT_EQ(refusal("lra-text"), "");
}

TEST_F(Intake, KilledAtAnyWriteItContinuesWithTheSameBytes) {
  put_listops();
  put("wiki.train.tokens", " \n = A = \n");
  put("wiki.valid.tokens", " \n = B = \n");
  put("wiki.test.tokens", " \n = C = \n");
  IntakeRow wiki = *find_intake("wikitext-2");
  wiki.words = {};
  for (const IntakeRow& row : {*find_intake("lra-listops"), wiki}) {
    const auto all = [&] {
      std::string bytes;
      for (const char* name : {"train.set", "valid.set", "test.set", "wiki.train.tokens",
                               "wiki.valid.tokens", "wiki.test.tokens"})
        if (fs::exists(to() / name)) bytes += name + read_file(to() / name);
      return bytes;
    };
    fs::remove_all(to());
    take(row);
    const std::string whole = all();
    for (int n = 1;; n += results::kStride) {
      fs::remove_all(to());
      const bool killed = results::killed_at(n, [&] { take(row); });
      take(row);
      EXPECT_EQ(all(), whole) << n;
      if (killed) continue;
      EXPECT_GT(n, 10);
      break;
    }
  }
}

TEST_F(Intake, EmptyFilesAreRefused) {
  put_reviews(1);
  put("train/pos/0_1.txt", "");
  EXPECT_TRUE(has(refusal("imdb"), "0_1.txt': expected a review, got an empty file"));
  fs::remove(from() / "train/pos/0_1.txt");
  EXPECT_TRUE(has(refusal("imdb"), "train/pos': expected reviews in files *.txt, got none"));
  put_listops();
  put("basic_test.tsv", "Source\tTarget\n");
  EXPECT_TRUE(has(refusal("lra-listops"), "basic_test.tsv': expected expressions, got none"));
  EXPECT_FALSE(fs::exists(to()));
}

TEST_F(Intake, RowsSayWhereTheyComeFrom) {
  for (const IntakeRow& row : intake_rows()) {
    EXPECT_TRUE(row.url.starts_with("https://") || row.licence == "yours") << row.name;
    EXPECT_TRUE(row.sha256.empty() || row.sha256.size() == 64) << row.name;
    EXPECT_FALSE(row.size.empty() || row.licence.empty() || row.files.empty()) << row.name;
    EXPECT_EQ(find_intake(row.name), &row);
  }
}

}  // namespace runner
