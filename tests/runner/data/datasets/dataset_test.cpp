#include "runner/data/datasets/dataset.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "runner/base/files/sha256.h"
#include "runner/config/keys/task_rows.h"

namespace runner {
namespace {

std::string hash_of(const NewExample& example) {
  Sha256 hash;
  for (const std::string& sequence : example.sequences) hash.add(sequence.data(), sequence.size());
  hash.add(&example.label, sizeof example.label);
  hash.add(example.targets.data(), example.targets.size() * sizeof(float));
  return hash.hex().substr(0, 16);
}

// Examples of integers only: real ones depend on the math library in the last bit.
struct Golden {
  const char *name, *hash;
};
constexpr Golden kGolden[] = {{"lra-listops", "9574f1153db35f73"},
                              {"lra-pathfinder", "b6501edeb6529432"},
                              {"lra-pathx", "3acc175bc8204fb1"},
                              {"digits-12", "9189489e91bd56e9"}};

}  // namespace

TEST(Datasets, AreGeneratedByTheNamesThatTasksKnow) {
  std::string names;
  for (const DatasetRow& row : dataset_rows())
    names += (names.empty() ? "" : " ") + std::string(row.name);
  EXPECT_EQ(names, kGeneratedSets) << "list each row in kGeneratedSets, in the same order";
}

TEST(Datasets, ExamplesAreOfTheirShape) {
  for (const DatasetRow& row : dataset_rows()) {
    const NewExample example = row.maker(default_recipe(row))(Split::kTest, 3, 0);
    const std::uint64_t bytes = example.sequences.at(0).size();
    EXPECT_EQ(example.sequences.size(), row.shape.sequences) << row.name;
    EXPECT_EQ(bytes % row.shape.step_bytes(), 0u) << row.name;
    if (row.shape.length > 0) {
      EXPECT_EQ(bytes, row.shape.length * row.shape.step_bytes()) << row.name;
    }
    if (row.shape.classes > 0) {
      EXPECT_LT(example.label, row.shape.classes) << row.name;
    }
    EXPECT_EQ(example.targets.size(), row.shape.targets) << row.name;
  }
}

// Recipes must keep their examples: any change needs another Recipe::version.
TEST(Datasets, ExamplesStayWhatTheyAre) {
  for (const auto& [name, hash] : kGolden) {
    const DatasetRow& row = *find_dataset(name);
    EXPECT_EQ(hash_of(row.maker(default_recipe(row))(Split::kTrain, 7, 0)), hash) << name;
  }
}

TEST(Datasets, ExamplesDependOnSeedSplitAndIndexAlone) {
  for (const DatasetRow& row : dataset_rows()) {
    if (row.shape.rows > 32) continue;
    Recipe recipe = default_recipe(row);
    const Maker one = row.maker(recipe), other = row.maker(recipe);
    other(Split::kTest, 9, 0);
    const NewExample example = one(Split::kTrain, 5, 0);
    EXPECT_EQ(other(Split::kTrain, 5, 0), example) << row.name;
    EXPECT_NE(one(Split::kValid, 5, 0), example) << row.name;
    EXPECT_NE(one(Split::kTrain, 6, 0), example) << row.name;
    recipe.seed = 2;
    EXPECT_NE(row.maker(recipe)(Split::kTrain, 5, 0), example) << row.name;
  }
}

TEST(Datasets, RecipesAreReadBack) {
  const Recipe recipe{"lra-listops", 1, 7, {5, 4, 3}, 10, 90};
  const std::string text = recipe_text(recipe, {Split::kValid, 2, 2});
  const auto read = read_recipe(text);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->recipe, recipe);
  EXPECT_EQ(read->piece.split, Split::kValid);
  EXPECT_EQ(read->piece.first, 2u);
  EXPECT_EQ(read->piece.count, 2u);
  for (const std::string& other : {std::string(), std::string("{}"), text + " ", text.substr(1),
                                   std::string("{\"name\":1}"), std::string("[[[[")})
    EXPECT_FALSE(read_recipe(other)) << other;
}

// LCSM_FUZZ sets the number of texts, 3000 by default.
TEST(Datasets, MutatedRecipesAreReadOrRefused) {
  const char* const requested = std::getenv("LCSM_FUZZ");
  const int rounds = requested != nullptr ? std::atoi(requested) : 3000;
  const std::string good = recipe_text({"nss", 1, 7, {5, 4, 3}, 0, 0}, {Split::kTrain, 0, 5});
  std::mt19937 random(7);
  int refused = 0;
  for (int round = 0; round < rounds; ++round) {
    std::string text = good;
    for (std::size_t i = 0; i <= random() % 3; ++i)
      text[random() % text.size()] = "{}[]\",:0e-9\xff"[random() % 12];
    const auto read = read_recipe(text);
    if (read) {
      EXPECT_EQ(recipe_text(read->recipe, read->piece), text);
    }
    refused += !read;
    recipe_name(text);
  }
  EXPECT_GT(refused, rounds / 2);
}

}  // namespace runner
