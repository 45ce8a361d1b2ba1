// `lcsm sweeps`, `lcsm plan` and `lcsm explain` as users run them.
#include "runner/front/options/sweep_verb.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "runner/data/tasks/data_search.h"
#include "runner/front/pages/plan_page.h"
#include "runner/sweeps/language/search.h"
#include "tests/runner/run_program.h"
#include "tests/runner/sweeps/language/sweep_texts.h"
#include "tests/runner/sweeps/plan/planned_runs.h"

namespace runner {
namespace {

using Json = nlohmann::json;

constexpr const char* kSweepVerbText = R"(title = "Mine"
base.task.name = "mqar"
grid.model.code = ["1-1-1-0", "ssm"]
grid.seed = [1, 2]
[[when]]
match.model.code = "ssm"
set.model.layers = 3
[scale.small]
grid.seed = [1]
)";

class SweepVerb : public ::testing::Test {
 protected:
  void SetUp() override { write("mine.toml", kSweepVerbText); }

  void write(const std::string& name, const std::string& text) {
    std::ofstream(scratch_.path() / name) << text;
  }

  std::string file() const { return (scratch_.path() / "mine.toml").string(); }

  Ran lcsm(Words words) {
    words.insert(words.end(), {"--workspace", (scratch_.path() / "workspace").string()});
    return run_lcsm(words);
  }

  Ran explain(Words words) {
    words.insert(words.begin(), {"explain", file()});
    return run_lcsm(words);
  }

  ScratchFolder scratch_;
};

}  // namespace

TEST_F(SweepVerb, PlansCountsAndPoints) {
  const Ran ran = lcsm({"plan", file(), "--jobs", "2"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_NE(ran.out.find("mine, scale paper: Mine\npoints      4: 4 new\n"), std::string::npos)
      << ran.out;
  EXPECT_NE(ran.out.find("with 2 at a time (4 guessed)"), std::string::npos) << ran.out;
  EXPECT_EQ(std::count(ran.out.begin(), ran.out.end(), '\n'), 10) << ran.out;
}

TEST_F(SweepVerb, PlansForAGpuOnRequestOrIfTheWorkIsLong) {
  EXPECT_EQ(lcsm({"plan", file()}).out.find("on a GPU"), std::string::npos);
  const Ran asked = lcsm({"plan", file(), "--gpu", "h200"});
  for (const char* part :
       {"on a GPU    ", " on one H200, ", " of its 141.0 GB (guessed", "on one H200\n"})
    EXPECT_NE(asked.out.find(part), std::string::npos) << part << "\n" << asked.out;
  const Ran longer = lcsm({"plan", file(), "--set", "optim.epochs=100000", "--set", "model.d=512"});
  EXPECT_NE(longer.out.find(" on one H100, "), std::string::npos) << longer.out;
  const Ran large = lcsm(
      {"plan", file(), "--gpu", "h100", "--set", "optim.batch=1000000", "--set", "model.d=512"});
  EXPECT_NE(large.out.find("optim.accumulate splits a batch"), std::string::npos) << large.out;
}

TEST_F(SweepVerb, PlansAsJson) {
  const Json json = Json::parse(lcsm({"plan", file(), "--scale", "small", "--json"}).out);
  EXPECT_EQ(json["schema"], "lcsm.plan/1");
  EXPECT_EQ(json["points"], 2);
  EXPECT_EQ(json["states"]["new"], 2);
  EXPECT_EQ(json["runs"][1]["at"], (Json{{"model.code", "ssm"}, {"seed", 1}}));
  EXPECT_EQ(json["runs"][1]["id"].get<std::string>().size(), 32u);
}

TEST_F(SweepVerb, PlansWhatIsLeft) {
  const SweepFile sweep = sweep_of(kSweepVerbText);
  write_measured(scratch_.path() / "workspace", expanded(sweep).runs[0], {});
  const Ran ran = lcsm({"plan", file()});
  EXPECT_NE(ran.out.find("points      4: 1 done, 3 new\n"), std::string::npos) << ran.out;
  const Ran small = lcsm({"plan", file(), "--set", "model.code=1-1-1-0", "--set", "seed=1"});
  EXPECT_NE(small.out.find("points      1: 1 done\n"), std::string::npos) << small.out;
}

TEST_F(SweepVerb, ExplainsWhichLineSetAValueWhere) {
  const Ran ran = explain({"model.layers", "--json"});
  ASSERT_EQ(ran.status, 0) << ran.err;
  const Json values = Json::parse(ran.out)["values"];
  ASSERT_EQ(values.size(), 2u);
  EXPECT_EQ(values[0]["set_by"], file() + ":7:20");
  EXPECT_EQ(values[0]["value"], "3");
  EXPECT_EQ(values[0]["where"], "model.code = ssm");
  EXPECT_EQ(values[1]["set_by"], "default of mqar");
  EXPECT_EQ(values[1]["points"], 2);
}

TEST_F(SweepVerb, ExplainsAllThatTheFileSets) {
  const Ran ran = explain({});
  EXPECT_NE(ran.out.find("task.name"), std::string::npos);
  EXPECT_EQ(ran.out.find("optim.lr"), std::string::npos) << "a default";
  EXPECT_EQ(explain({"optim.lrr"}).err,
            "lcsm explain: unknown key 'optim.lrr'; did you mean 'optim.lr'?\n");
}

TEST_F(SweepVerb, ReportsMistakes) {
  EXPECT_EQ(lcsm({"plan", "quikstart"}).status, 2);
  EXPECT_EQ(lcsm({"plan", file(), "--scale", "smal"}).err,
            "lcsm plan: mine has no scale 'smal'; it has paper, small; did you mean 'small'?\n");
  write("mine.toml", "base.sede = 1\n");
  const Ran ran = lcsm({"plan", file()});
  EXPECT_EQ(ran.status, 2);
  EXPECT_EQ(ran.err, "lcsm plan: " + file() + ":1:6: unknown key 'sede'; did you mean 'seed'?\n" +
                         "  base.sede = 1\n       ^\n");
}

// Sweeps whose laptop scale, or all scales, read data sets with their own names.
const std::set<std::string> kReadSmallSets = {
    "etsmlp-table1-lra",     "etsmlp-table3-ces",  "etsmlp-table4-rings",    "lra",
    "mega-figure4-chunks",   "mega-figure4-ema",   "mega-figure5-stability", "mega-table2-lra",
    "mega-table3-attention", "mega-table4-speech", "mega-table6-images",     "s4pp-table4-lra"};
const std::set<std::string> kReadOwnSets = {"s4pp-figure4-sine"};

// True if points have no identity before data exists: a data set with its own name or, at the
// paper's scale, the runs that others start from.
bool waits_for(const std::string& sweep, const std::string& scale) {
  if (kReadOwnSets.contains(sweep)) return true;
  return scale == "laptop" ? kReadSmallSets.contains(sweep) : sweep == "s4pp-table3-glue";
}

TEST_F(SweepVerb, ListsEverySweepAtEveryScale) {
  const Json json = Json::parse(lcsm({"sweeps", "--json"}).out);
  std::size_t papers = 0;
  for (const Json& row : json["sweeps"]) {
    EXPECT_EQ(row["error"], "") << row["name"];
    const bool known = row["missing_data"] == "";
    EXPECT_NE(known, waits_for(row["name"], row["scale"])) << row["name"] << row["scale"];
    if (known) {
      EXPECT_GT(row["points"], 0) << row["name"];
    }
    papers += !row["paper"].get<std::string>().empty() && row["scale"] == "paper";
  }
  EXPECT_EQ(papers, 34u);
  const Ran ran = lcsm({"sweeps"});
  EXPECT_NE(ran.out.find("quickstart"), std::string::npos);
  EXPECT_EQ(ran.err, "?: needs data; `lcsm plan SWEEP --scale SCALE` says which\n");
}

TEST(NamedSweeps, HaveAQuestionALaptopScaleAndViews) {
  for (const SweepText& known : known_sweeps()) {
    const SweepFile sweep = read_sweep(known, find_sweep, ignore);
    EXPECT_FALSE(sweep.title.empty()) << sweep.name;
    EXPECT_FALSE(sweep.question.empty()) << sweep.name;
    EXPECT_TRUE(sweep.scales.contains("laptop")) << sweep.name;
    EXPECT_FALSE(sweep.views.tables.empty()) << sweep.name;
    for (const std::string& scale : sweep.scale_names()) {
      SCOPED_TRACE(sweep.name + " " + scale);
      try {
        EXPECT_GT(expanded(sweep, {scale, {}, "nowhere"}).runs.size(), 0u);
      } catch (const DataMissing&) {
        EXPECT_TRUE(waits_for(sweep.name, scale));
      }
    }
  }
}

}  // namespace runner
