#include "results/curves/curves.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <system_error>

#include "results/events/event_reader.h"
#include "results/store/fold.h"
#include "results/store/store.h"
#include "tests/results/fixture.h"

namespace results {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

class Curves : public testing::Test {
 protected:
  Scratch scratch;

  RunCurves written(const FixtureRun& run) const {
    return read_curves(write_run(scratch.path(), run));
  }
  std::vector<std::string> varying(const std::vector<std::string>& ids) const {
    fold(scratch.path());
    return varying_parameters(*open_for_reading(scratch.path()), ids);
  }
};

}  // namespace

TEST_F(Curves, AreTheValuesOfARunWithTheirTimes) {
  const RunCurves run = written({.valid = {30, 25}});
  EXPECT_EQ(run.id, run_id(1));
  EXPECT_EQ(run.parameters.at("optim.lr"), Value(1e-3));
  EXPECT_EQ(run.end, RunState::kDone);
  EXPECT_EQ(run.started, 1000);
  EXPECT_EQ(run.ended, 1005);
  ASSERT_EQ(run.points.size(), 3u);
  EXPECT_EQ(run.points[1].step, 200);
  EXPECT_EQ(run.points[1].time, 1003);
  EXPECT_EQ(run.points[1].values[1], (std::pair<std::string, double>("valid.ppl", 25)));
}

TEST_F(Curves, LeaveOutWhatAResumedRunDiscarded) {
  golden_runs(scratch.path());
  const RunCurves run = read_curves(run_folder(scratch.path(), run_id(3)));
  std::vector<std::int64_t> steps;
  for (const CurvePoint& point : run.points) steps.push_back(point.step);
  fold(scratch.path());
  const auto database = open_for_reading(scratch.path());
  Statement select(*database,
                   "SELECT group_concat(step) FROM (SELECT DISTINCT step, seq FROM history "
                   "WHERE id = ? ORDER BY seq)");
  select.bind_all(std::string_view(run.id));
  ASSERT_TRUE(select.step());
  std::string text;
  for (const std::int64_t step : steps) text += (text.empty() ? "" : ",") + std::to_string(step);
  EXPECT_EQ(text, select.text(0));
  EXPECT_FALSE(run.end);
  const auto folder = write_run(scratch.path(), {.number = 9, .status = "interrupted"});
  EXPECT_EQ(read_curves(folder).end, RunState::kInterrupted);
  EventWriter(folder, counting_clock()).append(AttemptLine{300, 6, {}});
  EXPECT_FALSE(read_curves(folder).end) << "resumed";
}

TEST_F(Curves, ABadLineIsAnError) {
  golden_runs(scratch.path());
  EXPECT_THROW(read_curves(run_folder(scratch.path(), run_id(4))), EventError);
  EXPECT_THROW(read_curves(run_folder(scratch.path(), run_id(99))), std::system_error);
}

TEST_F(Curves, ARowIsAValueAndNothingIsLost) {
  const RunCurves run = written({.valid = {kInfinity}, .test = -kInfinity, .more = {{"on", true}}});
  const std::vector<std::string> keys = {"absent", "on", "optim.lr"};
  const Grid rows = curve_rows(run, keys);
  const std::string start = run_id(1) + ",,true,0.001,";
  EXPECT_EQ(csv_of(rows), "id,absent,on,optim.lr,metric,step,value,time\n" + start +
                              "train.loss,100,inf,1002\n" + start + "valid.ppl,100,inf,1002\n" +
                              start + "test.ppl,100,-inf,1003\n");
  EXPECT_EQ(csv_of({rows.headers, {}}) + csv_rows(rows), csv_of(rows));
  const RunCurves nan = written({.number = 2, .valid = {std::nan("")}, .test = 1});
  EXPECT_EQ(json_lines_of(curve_rows(nan, {})).substr(0, 102),
            "{\"id\":\"" + run_id(2) +
                "\",\"metric\":\"train.loss\",\"step\":100,\"value\":\"nan\",\"time\":1002.0}");
}

TEST_F(Curves, ParametersVaryIfTwoRunsDifferOrOneLacksThem) {
  write_run(scratch.path(), {.number = 1, .seed = 1});
  write_run(scratch.path(), {.number = 2, .seed = 2});
  write_run(scratch.path(), {.number = 3, .seed = 2, .more = {{"extra", std::int64_t{1}}}});
  EXPECT_EQ(varying({run_id(1), run_id(2)}), std::vector<std::string>{"seed"});
  EXPECT_EQ(varying({run_id(2), run_id(3)}), std::vector<std::string>{"extra"});
  EXPECT_TRUE(varying({run_id(3)}).empty());
}

TEST_F(Curves, AFolderIsNamedByWhatVaries) {
  const RunCurves run = written({.number = 0xabc, .seed = 2, .more = {{"text", "../a\nb"}}});
  EXPECT_EQ(folder_name(run, {"seed", "absent"}), "seed=2, 00000abc");
  EXPECT_EQ(folder_name(run, {"text"}), "text=.._a_b, 00000abc");
  EXPECT_EQ(folder_name(run, {}), "00000abc");
}

TEST_F(Curves, ALongNameIsCutBetweenCharacters) {
  std::string text;
  for (int i = 0; i < 200; ++i) text += "é";
  const std::string name = folder_name(written({.more = {{"t", text}}}), {"t"});
  EXPECT_EQ(name, "t=" + text.substr(0, 198) + "00000001");
  const std::string odd = folder_name(written({.number = 2, .more = {{"tt", text}}}), {"tt"});
  EXPECT_EQ(odd, "tt=" + text.substr(0, 196) + "00000002");
}

}  // namespace results
