#include "runner/sweeps/language/points.h"

#include <gtest/gtest.h>

#include "runner/config/keys/model_keys.h"
#include "runner/config/keys/optim_keys.h"
#include "runner/config/keys/run_keys.h"
#include "runner/config/run/run_id.h"
#include "runner/data/tasks/data_search.h"
#include "tests/message_of.h"
#include "tests/runner/sweeps/language/sweep_texts.h"

namespace runner {
namespace {

constexpr const char* kPointsBase = "base.task.name = 'mqar'\nbase.model.code = '1-1-1-0'\n";

// The points of a sweep, one per line.
std::string points_of(const std::string& text, const SweepRequest& request = {}) {
  const Expansion expansion = expanded(sweep_of(text), request).expansion;
  std::string lines;
  for (const Point& point : expansion.points)
    lines += describe_point(expansion.axes, point.steps) + "\n";
  return lines;
}

// The values of a key in the runs, separated by blanks.
std::string values_of(int key, const std::string& text, const SweepRequest& request = {}) {
  std::string list;
  for (const RunConfig& config : expanded(sweep_of(text), request).runs)
    list += (list.empty() ? "" : " ") + value_text(config.at(key).value);
  return list;
}

}  // namespace

TEST(SweepPoints, CrossTheGridInFileOrder) {
  EXPECT_EQ(points_of(std::string(kPointsBase) + "grid.seed = [2, 1]\ngrid.model.d = [64, 128]\n"),
            "seed = 2, model.d = 64\nseed = 2, model.d = 128\n"
            "seed = 1, model.d = 64\nseed = 1, model.d = 128\n");
}

TEST(SweepPoints, VaryTheListsOfAZipTogether) {
  EXPECT_EQ(
      points_of(std::string(kPointsBase) + "[[zip]]\ntask.length = [64, 128]\ntask.pairs = [4, 8]\n"
                                           "[grid]\nseed = [1, 2]\n"),
      "task.length = 64, task.pairs = 4, seed = 1\n"
      "task.length = 64, task.pairs = 4, seed = 2\n"
      "task.length = 128, task.pairs = 8, seed = 1\n"
      "task.length = 128, task.pairs = 8, seed = 2\n");
}

TEST(SweepPoints, AreOneWithoutLists) { EXPECT_EQ(points_of(kPointsBase), "the only point\n"); }

TEST(SweepPoints, ExpandRanges) {
  const int lr = index_of("optim.lr"_key), seed = index_of("seed"_key), d = index_of("model.d"_key);
  EXPECT_EQ(
      values_of(lr, std::string(kPointsBase) + "grid.optim.lr = { log = [1e-4, 1e-2], n = 4 }"),
      "0.0001 0.000464159 0.00215443 0.01");
  EXPECT_EQ(values_of(seed, std::string(kPointsBase) + "grid.seed = { linear = [1, 3], n = 3 }"),
            "1 2 3");
  EXPECT_EQ(values_of(d, std::string(kPointsBase) + "grid.model.d = { log = [64, 512], n = 4 }"),
            "64 128 256 512");
}

TEST(SweepPoints, CrossTheListsOfSettings) {
  const std::string text = std::string(kPointsBase) + "grid.seed = [1, 2]\nbase.optim.lr = 1e-3\n";
  const int seed = index_of("seed"_key), lr = index_of("optim.lr"_key);
  EXPECT_EQ(values_of(lr, text, {.settings = {"optim.lr=[1e-2, 3e-2]"}}), "0.01 0.03 0.01 0.03");
  EXPECT_EQ(values_of(seed, text, {.settings = {"seed=[3,4,5]"}}), "3 4 5");
  EXPECT_EQ(values_of(seed, text, {.settings = {"seed=[3,4]", "seed=5"}}), "5");
  EXPECT_EQ(values_of(lr, text, {.settings = {"optim.lr={ log = [1e-4, 1e-2], n = 3 }", "seed=1"}}),
            "0.0001 0.001 0.01");
}

TEST(SweepPoints, TextInTheListOfASettingNeedsNoQuotes) {
  const int code = index_of("model.code"_key);
  const auto codes = [&](const char* setting) {
    return values_of(code, kPointsBase, {.settings = {setting}});
  };
  EXPECT_EQ(codes("model.code=[1-3-1-2, ssm]"), "1-3-1-2 ssm");
  EXPECT_EQ(codes("model.code=[1-3-1-2@tau=8,k=4, ssm]"), "1-3-1-2@tau=8 ssm");
  EXPECT_EQ(codes("model.code=['1-3-1-2', \"ssm\"]"), "1-3-1-2 ssm");
  for (const char* pattern : {"'1-{1,3}-1-0', ssm", "1-{1,3}-1-0, ssm"})
    EXPECT_EQ(codes(("model.code=[" + std::string(pattern) + "]").c_str()), "1-1-1-0 1-3-1-0 ssm");
}

TEST(SweepPoints, AListOfASettingIsRefusedInItsPlace) {
  const auto refused = [&](const char* setting) {
    return message_of<ConfigError>([&] { values_of(0, kPointsBase, {.settings = {setting}}); });
  };
  EXPECT_TRUE(refused("seed=[1,2,2]").starts_with("--set:1:11: seed: 2 is given twice"));
  EXPECT_NE(refused("optim.lrr=[1]").find("did you mean 'optim.lr'?"), std::string::npos);
  EXPECT_NE(refused("optim.lr=[1").find("end-of-file"), std::string::npos);
}

TEST(SweepPoints, NameCodesByPattern) {
  const char* text = "base.task.name = 'mqar'\ngrid.model.code = ['1-1-1-0', '1-{1,3}-1-0']\n";
  EXPECT_EQ(values_of(index_of("model.code"_key), text), "1-1-1-0 1-3-1-0");
}

TEST(SweepPoints, ApplyWhensInOrderEachSeeingTheEarlierOnes) {
  EXPECT_EQ(values_of(index_of("model.layers"_key),
                      std::string(kPointsBase) + "grid.seed = [1, 2]\n"
                                                 "[[when]]\nmatch.seed = 2\nset.model.k = 32\n"
                                                 "[[when]]\nmatch.model.k = { max = 64 }\n"
                                                 "set.model.layers = 5\n"),
            "2 5");
}

TEST(SweepPoints, MatchDefaultsAndTheSizesOfCodes) {
  EXPECT_EQ(values_of(index_of("seed"_key),
                      "base.task.name = 'mqar'\ngrid.model.code = ['ssm', '1-1-1-0@k=32']\n"
                      "[[when]]\nmatch = { model.k = 32, task.length = 64 }\nset.seed = 7\n"),
            "1 7");
}

TEST(SweepPoints, MatchCodesWithAnyOptionsUnlessThereIsAnAt) {
  const std::string text =
      "base.task.name = 'mqar'\n"
      "grid.model.code = ['1-1-1-0', '1-1-1-0@tau=8', '1-3-1-0@tau=8']\n";
  const std::string when = "[[when]]\nset.seed = 2\nmatch.model.code = ";
  const int seed = index_of("seed"_key);
  EXPECT_EQ(values_of(seed, text + when + "'1-1-1-0'"), "2 2 1");
  EXPECT_EQ(values_of(seed, text + when + "'1-1-1-0@'"), "2 1 1");
  EXPECT_EQ(values_of(seed, text + when + "'1-1-1-0@tau=8.0'"), "1 2 1");
  EXPECT_EQ(values_of(seed, text + when + "'1-*-1-0'"), "2 2 2");
}

TEST(SweepPoints, ApplyExcludesAfterTheWhens) {
  EXPECT_EQ(values_of(index_of("seed"_key), std::string(kPointsBase) +
                                                "grid.seed = [1, 2, 3]\n"
                                                "[[when]]\nmatch.seed = 2\nset.model.k = 32\n"
                                                "[[exclude]]\nmatch.model.k = 32\n"),
            "1 3");
}

TEST(SweepPoints, TakeEachKeyFromTheLastLayerThatSetsIt) {
  const std::string text = std::string(kPointsBase) +
                           "grid.seed = [1, 2]\nbase.model.d = 64\n"
                           "[[when]]\nmatch.seed = 2\nset.model.layers = 9\n"
                           "[scale.small]\nbase.seed = 3\ngrid.model.d = [32, 64]\n"
                           "[scale.flat]\nbase.model.layers = 1\n";
  EXPECT_EQ(points_of(text, {"small", {}}), "model.d = 32\nmodel.d = 64\n");
  EXPECT_EQ(values_of(index_of("model.layers"_key), text, {"flat", {}}), "1 1");
  EXPECT_EQ(values_of(index_of("model.layers"_key), text, {"paper", {"model.layers=3"}}), "3 3");
  EXPECT_EQ(points_of(text, {"paper", {"seed=2"}}), "the only point\n");
}

// No two points differ in one list alone, so none shows that a list has no effect.
TEST(SweepPoints, MayBeADiagonalOfAGrid) {
  EXPECT_EQ(
      points_of(std::string(kPointsBase) + "grid.seed = [1, 2]\ngrid.model.d = [64, 128]\n"
                                           "[[exclude]]\nmatch.seed = 1\nmatch.model.d = 128\n"
                                           "[[exclude]]\nmatch.seed = 2\nmatch.model.d = 64\n"),
      "seed = 1, model.d = 64\nseed = 2, model.d = 128\n");
}

TEST(SweepPoints, KeepTheOtherListsOfAZip) {
  const std::string text =
      std::string(kPointsBase) + "[[zip]]\ntask.length = [64, 128]\ntask.pairs = [4, 8]\n";
  EXPECT_EQ(points_of(text, {"paper", {"task.pairs=2"}}), "task.length = 64\ntask.length = 128\n");
}

TEST(SweepPoints, ApplyScalesOverAllFiles) {
  const SweepFile sweep =
      sweep_of({{"my", "extends = 'old'\nbase.model.d = 256\nscale.s.base.model.k = 16\n"},
                {"old", std::string(kPointsBase) + "base.model.d = 128\nscale.s.base.model.d = 32\n"
                                                   "scale.s.base.model.k = 8\n"}});
  const RunConfig config = expanded(sweep, {"s", {}}).runs.at(0);
  EXPECT_EQ(config.integer("model.d"_key), 32);
  EXPECT_EQ(config.integer("model.k"_key), 16);
  EXPECT_EQ(expanded(sweep).runs.at(0).integer("model.d"_key), 256);
}

TEST(SweepPoints, AreRunsByWhatTheyComputeNotByHowTheyAreWritten) {
  const Seen a = expanded(sweep_of(std::string(kPointsBase) + "grid.optim.lr = [1e-3, 5e-3]\n"));
  const Seen b = expanded(sweep_of(std::string(kPointsBase) + "base.optim.lr = 0.005\n"
                                                              "base.run.threads = 2\n"));
  EXPECT_EQ(a.expansion.points[1].id, b.expansion.points[0].id);
  EXPECT_EQ(run_id(a.runs[0]), a.expansion.points[0].id);
}

TEST(SweepPoints, CountDuplicateRuns) {
  const Expansion expansion =
      expanded(sweep_of("base.task.name = 'mqar'\ngrid.model.code = ['ssm', '1-1-1-0']\n"
                        "grid.model.family = ['eos', 'attention']\n"))
          .expansion;
  EXPECT_EQ(expansion.crossed, 4u);
  EXPECT_EQ(expansion.points.size(), 3u);
  EXPECT_EQ(expansion.notes,
            (std::vector<std::string>{"1 of 4 points give the same run as another point"}));
}

TEST(SweepPoints, SayWhichPartOfAGridASettingLeavesWithoutEffect) {
  const Expansion expansion = expanded(sweep_of("base.task.name = 'mqar'\ngrid.seed = [1, 2]\n"
                                                "grid.model.code = ['ssm', '1-1-1-0']\n"),
                                       {.settings = {"model.system=mamba"}})
                                  .expansion;
  ASSERT_EQ(expansion.points.size(), 2u);
  EXPECT_EQ(describe_point(expansion.axes, expansion.points[1].steps), "seed = 2");
  EXPECT_EQ(expansion.notes,
            (std::vector<std::string>{
                "2 of 4 points give the same run as another point",
                "model.code makes no difference: every value gives the same run; model.code has no "
                "effect with model.family = system and is ignored"}));
}

TEST(SweepPoints, KnowWhichLineSetAValue) {
  const RunConfig config =
      expanded(sweep_of(std::string(kPointsBase) + "[[when]]\nmatch.seed = 1\nset.model.k = 16\n"))
          .runs.at(0);
  EXPECT_EQ(config.at("model.k"_key).set_by, "my.toml:5:15");
}

TEST(SweepPoints, ReportTwentyMistakesAndCountTheRest) {
  const std::string text = mistakes_in(
      {{"my", std::string(kPointsBase) + "grid.task.pairs = { linear = [33, 64], n = 32 }\n"}});
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 21);
  EXPECT_EQ(text.substr(0, text.find('\n')), "my.toml: 12 more mistakes in points");
}

TEST(SweepPoints, TakeWhatARecipeSaysOfTheirTask) {
  const std::string text =
      "base.recipe = 'etsmlp'\ngrid.task.name = ['lra-image', 'lra-text']\n"
      "grid.model.code = ['etsmlp', 'mega']\n"
      "[[when]]\nmatch.model.code = 'mega'\nset.recipe = 'mega'\n"
      "[[when]]\nmatch.model.d = 160\nset.seed = 7\n";
  EXPECT_EQ(values_of(index_of("model.layers"_key), text), "12 8 4 4");
  EXPECT_EQ(values_of(index_of("seed"_key), text), "7 7 7 1");
}

TEST(SweepPoints, NameAllDataThatIsMissingAtOnce) {
  const SweepFile sweep = sweep_of(
      "base.model.code = 'ssm'\nbase.task.data = 'few'\n"
      "grid.task.name = ['lra-listops', 'lra-image']\ngrid.seed = [1, 2]\n");
  try {
    expanded(sweep, {.workspace = "nowhere"});
    ADD_FAILURE();
  } catch (const DataMissing& missing) {
    const std::string what = missing.what();
    EXPECT_NE(what.find("`lcsm data make lra-listops --as few`"), std::string::npos) << what;
    EXPECT_NE(what.find("`lcsm data get lra-image --from DIR --as few`"), std::string::npos);
    EXPECT_EQ(std::count(what.begin(), what.end(), '\n'), 1);
    EXPECT_EQ(missing.makes, std::set<std::string>{"lcsm data make lra-listops --as few"});
  }
}

}  // namespace runner
