#include "runner/data/datasets/making.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "runner/data/tasks/data_search.h"
#include "tests/results/kill_at_write.h"
#include "tests/runner/run_program.h"

namespace fs = std::filesystem;

namespace runner {
namespace {

// Several pieces, with expressions so short that some occur twice.
Recipe short_listops() {
  Recipe recipe = default_recipe(*find_dataset("lra-listops"));
  recipe.examples = {1100, 30, 20};
  recipe.over = 3;
  recipe.under = 7;
  return recipe;
}

Recipe small(const char* name, std::array<std::uint64_t, 3> examples) {
  Recipe recipe = default_recipe(*find_dataset(name));
  recipe.examples = examples;
  return recipe;
}

Recipe short_sounds() {
  Recipe recipe = small("sounds", {501, 2, 2});
  recipe.length = 100;
  return recipe;
}

std::string all_bytes(const fs::path& folder) {
  std::string bytes;
  for (const Split split : kSplits) bytes += read_file(split_file(folder, split));
  return bytes;
}

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

TEST(MakingDatasets, GivesTheSameBytesForAnyNumberOfThreads) {
  for (const Recipe& recipe :
       {short_listops(), small("lra-pathfinder", {502, 3, 2}), short_sounds(),
        small("nss", {5, 4, 3}), small("pythagorean", {501, 4, 0})}) {
    const ScratchFolder scratch;
    for (const int threads : {1, 2, 5}) {
      const fs::path folder = scratch.path() / std::to_string(threads);
      EXPECT_EQ(make_dataset({recipe, folder, threads, {}, {}}), Made::kMade);
      EXPECT_EQ(all_bytes(folder), all_bytes(scratch.path() / "1")) << recipe.name;
      EXPECT_EQ(names_in(folder), (std::vector<std::string>{"test.set", "train.set", "valid.set"}));
    }
  }
}

TEST(MakingDatasets, ExamplesOfListOpsAreUnique) {
  const ScratchFolder scratch;
  make_dataset({short_listops(), scratch.path(), 1, {}, {}});
  std::set<std::string> seen;
  std::uint64_t drawn_again = 0;
  const Maker maker = find_dataset("lra-listops")->maker(short_listops());
  for (const Split split : kSplits) {
    const DataFile file(split_file(scratch.path(), split).string());
    file.verify();
    EXPECT_EQ(file.examples(), short_listops().examples[index_of(split)]);
    for (std::uint64_t i = 0; i < file.examples(); ++i) {
      EXPECT_TRUE(seen.insert(std::string(file.sequence(i))).second) << i;
      drawn_again += read_example(file, i) != maker(split, i, 0);
    }
  }
  EXPECT_GT(drawn_again, 0u);
}

// Of two texts: both count, and their steps.
TEST(MakingDatasets, ExamplesOfParaphrasesAreUnique) {
  const ScratchFolder scratch;
  const Recipe recipe = small("paraphrase", {3000, 300, 300});
  make_dataset({recipe, scratch.path(), 2, {}, {}});
  std::set<std::vector<std::string>> seen;
  std::uint64_t drawn_again = 0;
  const Maker maker = find_dataset("paraphrase")->maker(recipe);
  for (const Split split : kSplits) {
    const DataFile file(split_file(scratch.path(), split).string());
    file.verify();
    for (std::uint64_t i = 0; i < file.examples(); ++i) {
      EXPECT_TRUE(seen.insert(read_example(file, i).sequences).second) << i;
      drawn_again += read_example(file, i) != maker(split, i, 0);
    }
  }
  EXPECT_GT(drawn_again, 0u);
}

TEST(MakingDatasets, MoreExamplesThanThereAreDifferentOnesAreRefused) {
  const ScratchFolder scratch;
  Recipe recipe = short_listops();
  recipe.over = 0;
  recipe.under = 2;  // ten digits
  EXPECT_THROW(make_dataset({recipe, scratch.path(), 1, {}, {}}), std::invalid_argument);
}

TEST(MakingDatasets, StopsAndContinuesWithTheSameBytes) {
  const ScratchFolder scratch;
  const fs::path folder = scratch.path() / "stopped", whole = scratch.path() / "whole";
  make_dataset({short_listops(), whole, 1, {}, {}});
  int stops = 0;
  for (Made made = Made::kStopped; made == Made::kStopped; ++stops) {
    int asked = 0;
    made = make_dataset({short_listops(), folder, 1, {}, [&] { return ++asked > 600; }});
    ASSERT_EQ(is_unfinished(folder), made == Made::kStopped);
  }
  EXPECT_EQ(stops, 3);
  EXPECT_EQ(all_bytes(folder), all_bytes(whole));
}

TEST(MakingDatasets, WhatIsThereIsNotMadeAgain) {
  const ScratchFolder scratch;
  const Recipe recipe = small("nss", {5, 4, 3});
  std::vector<std::uint64_t> told;
  const auto tell = [&](std::uint64_t done, std::uint64_t all) {
    told.push_back(done);
    EXPECT_EQ(all, 12u);
  };
  EXPECT_EQ(make_dataset({recipe, scratch.path(), 1, tell, {}}), Made::kMade);
  EXPECT_EQ(told, (std::vector<std::uint64_t>{5, 9, 12}));
  EXPECT_EQ(make_dataset({recipe, scratch.path(), 1, tell, {}}), Made::kWasThere);
  EXPECT_EQ(told.size(), 3u);
}

TEST(MakingDatasets, OtherDataInTheFolderIsKept) {
  const ScratchFolder scratch;
  Recipe recipe = small("nss", {5, 4, 3});
  make_dataset({recipe, scratch.path(), 1, {}, {}});
  const std::string before = all_bytes(scratch.path());
  recipe.seed = 2;
  EXPECT_THROW(make_dataset({recipe, scratch.path(), 1, {}, {}}), std::invalid_argument);
  EXPECT_EQ(all_bytes(scratch.path()), before);
}

TEST(MakingDatasets, DamagedPiecesAreMadeAgain) {
  const ScratchFolder scratch;
  const fs::path folder = scratch.path() / "damaged", whole = scratch.path() / "whole";
  make_dataset({short_listops(), whole, 1, {}, {}});
  int asked = 0;
  make_dataset({short_listops(), folder, 1, {}, [&] { return ++asked > 1100; }});
  const fs::path piece = folder / ".making" / "train-500.set";
  std::string bytes = read_file(piece);
  bytes[bytes.size() / 2] ^= 1;
  lcsm::write_whole(piece, bytes);
  EXPECT_EQ(make_dataset({short_listops(), folder, 1, {}, {}}), Made::kMade);
  EXPECT_EQ(all_bytes(folder), all_bytes(whole));
}

TEST(MakingDatasets, KilledAtAnyWriteItContinuesWithTheSameBytes) {
  const ScratchFolder scratch;
  const fs::path whole = scratch.path() / "whole";
  Recipe recipe = short_listops();
  recipe.examples = {510, 6, 5};
  make_dataset({recipe, whole, 1, {}, {}});
  for (int n = 1;; n += results::kStride) {
    const fs::path folder = scratch.path() / "killed";
    fs::remove_all(folder);
    const Making making{recipe, folder, 1, {}, {}};
    const bool killed = results::killed_at(n, [&] { make_dataset(making); });
    const Made made = make_dataset(making);
    EXPECT_EQ(all_bytes(folder), all_bytes(whole)) << n;
    EXPECT_EQ(names_in(folder).size(), 3u) << n;
    if (killed) continue;
    EXPECT_EQ(made, Made::kWasThere);
    EXPECT_GT(n, 20);
    break;
  }
}

}  // namespace runner
