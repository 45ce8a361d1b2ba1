#include "runner/data/datasets/check.h"

#include <gtest/gtest.h>

#include "runner/data/datasets/making.h"
#include "runner/data/tasks/data_search.h"
#include "tests/runner/run_program.h"

namespace runner {
namespace {

class Checks : public ::testing::Test {
 protected:
  void SetUp() override { make_dataset({recipe(), folder(), 1, {}, {}}); }

  static Recipe recipe() {
    Recipe recipe = default_recipe(*find_dataset("lra-listops"));
    recipe.examples = {40, 10, 10};
    recipe.over = 10;
    recipe.under = 60;
    return recipe;
  }
  std::filesystem::path folder() const { return scratch_.path(); }
  // Rewrites the validation split with changed examples.
  void change(const auto& how) const {
    std::vector<NewExample> examples;
    {
      const DataFile file(split_file(folder(), Split::kValid).string());
      for (std::uint64_t i = 0; i < file.examples(); ++i) examples.push_back(read_example(file, i));
    }
    how(examples);
    std::uint64_t steps = 0;
    for (const NewExample& example : examples) steps += example.sequences[0].size();
    DataFileWriter writer(split_file(folder(), Split::kValid), find_dataset("lra-listops")->shape,
                          recipe_text(recipe(), {Split::kValid, 0, 10}), examples.size(), steps);
    for (const NewExample& example : examples) writer.add(example);
    writer.keep();
  }
  std::string mistakes() const {
    std::string all;
    for (const std::string& mistake : check_dataset(folder()).mistakes) all += mistake + "\n";
    return all;
  }

 private:
  const ScratchFolder scratch_;
};

}  // namespace

TEST_F(Checks, CountWhatIsThere) {
  const DatasetFacts facts = check_dataset(folder());
  EXPECT_TRUE(facts.mistakes.empty());
  ASSERT_EQ(facts.splits.size(), 3u);
  const SplitFacts& train = facts.splits[0];
  EXPECT_EQ(train.examples, 40u);
  EXPECT_EQ(train.evaluated, 40u);
  EXPECT_EQ(train.made_again, 20u);
  EXPECT_EQ(train.repeated + train.shared, 0u);
  EXPECT_GT(train.lengths[0], 10u);
  EXPECT_LE(train.lengths[0], train.lengths[2]);
  EXPECT_LT(train.lengths[4], 60u);
  EXPECT_EQ(train.least, 0);
  EXPECT_EQ(train.most, 14);
  std::uint64_t labels = 0;
  for (const std::uint64_t count : train.labels) labels += count;
  EXPECT_EQ(labels, 40u);
}

TEST_F(Checks, FindWrongLabels) {
  change([](auto& examples) { examples[4].label = (examples[4].label + 1) % 10; });
  EXPECT_TRUE(has(mistakes(), "1 wrong answers, the first in example 4"));
  EXPECT_TRUE(has(mistakes(), "example 4 differs from the one that its recipe generates"));
}

TEST_F(Checks, FindValuesOutsideTheVocabulary) {
  change([](auto& examples) { examples[0].sequences[0][0] = 15; });
  EXPECT_TRUE(has(mistakes(), "1 values are not below 15"));
}

TEST_F(Checks, FindDuplicatesWithinAndBetweenSplits) {
  const DataFile train(split_file(folder(), Split::kTrain).string());
  change([&](auto& examples) {
    examples[1] = examples[0];
    examples[2] = read_example(train, 3);
  });
  const SplitFacts valid = check_dataset(folder()).splits.at(1);
  EXPECT_EQ(valid.repeated, 1u);
  EXPECT_EQ(valid.shared, 1u);
  EXPECT_TRUE(has(mistakes(), "2 duplicate examples"));
}

TEST_F(Checks, FindMissingExamplesAndFiles) {
  change([](auto& examples) { examples.pop_back(); });
  EXPECT_TRUE(has(mistakes(), "its recipe does not describe the examples that it holds"));
  std::filesystem::remove(split_file(folder(), Split::kTest));
  EXPECT_TRUE(has(mistakes(), "test.set' cannot be read"));
}

TEST_F(Checks, FindDamage) {
  const auto path = split_file(folder(), Split::kTrain);
  std::string bytes = read_file(path);
  bytes[400] ^= 1;
  lcsm::write_whole(path, bytes);
  EXPECT_TRUE(has(mistakes(), "train.set' at byte 256: expected the checksum")) << mistakes();
  EXPECT_EQ(check_dataset(folder()).splits.size(), 2u);
}

TEST(BalanceCheck, OneSidedLabelsAreAMistake) {
  const ScratchFolder scratch;
  const DatasetRow& row = *find_dataset("lra-pathfinder");
  Recipe recipe = default_recipe(row);
  recipe.examples = {0, 0, 60};
  make_dataset({recipe, scratch.path(), 1, {}, {}});
  for (const std::string& mistake : check_dataset(scratch.path()).mistakes)
    ADD_FAILURE() << mistake;
  DataFileWriter writer(split_file(scratch.path(), Split::kTest), row.shape,
                        recipe_text(recipe, {Split::kTest, 0, 60}), 60, 60 * 1024);
  for (std::uint64_t i = 0; i < 60; ++i) writer.add({{std::string(1024, '\1')}, 1, {}});
  writer.keep();
  EXPECT_TRUE(has(check_dataset(scratch.path()).mistakes.back(), "got 0 and 60"));
}

TEST(PairsCheck, PairsOfUnlikeTextsAreNoDuplicates) {
  const ScratchFolder scratch;
  const DataShape shape{.vocabulary = 256, .classes = 2, .sequences = 2};
  const NewExample one{{"ab", "c"}, 0, {}}, other{{"a", "bc"}, 0, {}};
  for (const auto& [split, examples] : {std::pair{Split::kTrain, std::vector{one}},
                                        {Split::kValid, {other}},
                                        {Split::kTest, {one, other, one}}})
    write_examples(split_file(scratch.path(), split), shape, "{}", examples);
  const DatasetFacts facts = check_dataset(scratch.path());
  EXPECT_EQ(facts.splits.at(1).repeated + facts.splits.at(1).shared, 0u);
  EXPECT_EQ(facts.splits.at(2).repeated + facts.splits.at(2).shared, 3u);
}

TEST(SoundsCheck, MakesWaveformsOfAnyLengthAgain) {
  const ScratchFolder scratch;
  Recipe recipe = default_recipe(*find_dataset("sounds"));
  recipe.examples = {5, 2, 2};
  recipe.length = 100;
  make_dataset({recipe, scratch.path(), 1, {}, {}});
  const DatasetFacts facts = check_dataset(scratch.path());
  EXPECT_TRUE(facts.mistakes.empty());
  EXPECT_EQ(facts.splits.at(0).made_again, 5u);
  EXPECT_EQ(facts.splits.at(0).lengths[4], 100u);
}

}  // namespace runner
