#include "runner/front/curves/stored_sweep.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "results/store/fold.h"
#include "results/store/store.h"
#include "tests/results/fixture.h"

namespace runner {

using results::RunState;

TEST(StoredSweep, IsWhatItsRunsTell) {
  const results::Scratch scratch;
  results::write_run(scratch.path(), {.number = 1, .code = "1-9-1-0", .sweep = "s", .seed = 2});
  results::write_run(scratch.path(), {.number = 2, .code = "1-1-1-0", .sweep = "s"});
  results::write_run(
      scratch.path(),
      {.number = 3, .sweep = "s", .seed = 3, .status = "diverged", .message = "the loss is NaN"});
  results::write_run(scratch.path(), {.number = 4, .sweep = "other"});
  results::fold(scratch.path());
  const auto database = results::open_for_reading(scratch.path());
  const PanelModel model = stored_sweep(*database, scratch.path(), "s");
  EXPECT_EQ(model.title, "A title");
  EXPECT_EQ(model.axes, (std::vector<std::string>{"model.code", "seed"}));
  EXPECT_EQ(model.metric, "valid.ppl");
  ASSERT_EQ(model.runs.size(), 3u);
  EXPECT_EQ(model.runs[0].at, (std::vector<std::string>{"1-1-1-0", "1"}));
  EXPECT_EQ(model.runs[1].state, RunState::kDiverged);
  EXPECT_EQ(model.runs[1].why, "diverged: the loss is NaN");
  EXPECT_EQ(model.runs[2].progress.step, 300);
  const std::set<std::string> only = {results::run_id(1), results::run_id(2)};
  EXPECT_EQ(stored_sweep(*database, scratch.path(), "s", only).runs.size(), 2u);
}

TEST(StoredSweep, OfNoRunsIsEmpty) {
  const results::Scratch scratch;
  results::write_run(scratch.path(), {.number = 1, .sweep = "s"});
  results::fold(scratch.path());
  const auto database = results::open_for_reading(scratch.path());
  EXPECT_TRUE(stored_sweep(*database, scratch.path(), "none").runs.empty());
}

}  // namespace runner
