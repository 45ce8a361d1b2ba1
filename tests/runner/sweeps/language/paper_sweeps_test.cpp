// The sweeps of ETSMLP, MEGA and S4++: every one plans at both scales, and its rows are the
// papers'.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "results/published/published.h"
#include "runner/config/run/run_id.h"
#include "runner/models/families/model_tensors.h"
#include "runner/sweeps/language/search.h"
#include "tests/runner/run_program.h"
#include "tests/runner/sweeps/language/sweep_texts.h"

namespace runner {
namespace {

std::vector<SweepFile> paper_sweeps() {
  std::vector<SweepFile> sweeps;
  for (const KnownSweep& known : known_sweeps())
    for (const char* paper : {"etsmlp-", "mega-", "s4pp-"})
      if (known.text.name.starts_with(paper)) sweeps.push_back(load_sweep(known.text.name));
  return sweeps;
}

// A workspace with the data sets that laptop scales read under names of their own: an identity
// needs their bytes.
const std::filesystem::path& workspace() {
  static const ScratchFolder scratch;
  for (const char* name : {"listops-short", "sounds-512"}) {
    const std::filesystem::path folder = scratch.path() / "data" / name;
    std::filesystem::create_directories(folder);
    for (const char* split : {"train.set", "valid.set", "test.set"})
      std::ofstream(folder / split) << split;
  }
  return scratch.path();
}

Seen at(const SweepFile& sweep, const std::string& scale) {
  return expanded(sweep, {.scale = scale, .workspace = workspace()});
}

TEST(PaperSweeps, PlanAtBothScales) {
  ASSERT_GE(paper_sweeps().size(), 14u);
  for (const SweepFile& sweep : paper_sweeps()) {
    SCOPED_TRACE(sweep.name);
    EXPECT_EQ(sweep.scale_names(), (std::vector<std::string>{"paper", "laptop"}));
    for (const std::string& scale : sweep.scale_names())
      EXPECT_GE(at(sweep, scale).runs.size(), 1u) << scale;
    EXPECT_FALSE(sweep.views.tables.empty());
    EXPECT_FALSE(sweep.question.empty());
  }
}

std::string label(const RunConfig& config) {
  const std::string named = model_label(config);
  return named.empty() ? std::get<std::string>(parameters_of(config).at("model.code")) : named;
}

TEST(PaperSweeps, HaveARowForEachPrintedModelThatThereIs) {
  const std::set<std::string> absent = {"transformer (replicated)", "s4-v1",
                                        "s4-v2 (replicated)",  // the same models, printed again
                                        "transformer-xl",           "s4+attention", "s4++"};
  for (const SweepFile& sweep : paper_sweeps()) {
    std::set<std::string> rows;
    for (const RunConfig& config : at(sweep, "paper").runs) rows.insert(label(config));
    for (const results::PublishedValue& value : results::published_values()) {
      const std::string name = value.paper + "/" + value.table;
      if (name != sweep.paper || absent.contains(value.row)) continue;
      EXPECT_TRUE(rows.contains(value.row)) << sweep.name << " " << value.row;
    }
  }
}

// The widths of S4++'s models are in an appendix that is not public: other depths of ours would be
// farther away, by up to half a layer.
TEST(PaperSweeps, ComeNearThePrintedCountsOfWikiText) {
  std::map<std::string, double> ours;
  for (const RunConfig& config : at(load_sweep("s4pp-table2-wikitext"), "paper").runs)
    ours[label(config)] = 1e-6 * static_cast<double>(count_of(plan_model(config, 50265)).learned);
  for (const results::PublishedValue& value : results::published_values()) {
    if (value.table != "table2-wikitext103" || !ours.contains(value.row)) continue;
    const double printed = std::stod(value.params_m);
    const bool exact = value.row == "cosformer" || value.row == "flash";
    EXPECT_NEAR(ours[value.row], printed, exact ? 0.005 : 0.07 * printed) << value.row;
  }
}

TEST(PaperSweeps, HaveThePrintedCountsOfAdaptiveSoftmaxes) {
  std::map<std::string, double> ours;
  for (const RunConfig& config : at(load_sweep("mega-table5-lm"), "paper").runs)
    ours[label(config)] = 1e-6 * static_cast<double>(count_of(plan_model(config, 267735)).learned);
  EXPECT_NEAR(ours["transformer"], 247, 0.5);
  EXPECT_NEAR(ours["mega-chunk"], 252, 0.5);
}

}  // namespace
}  // namespace runner
