#include "runner/workspace/control.h"

#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <stdexcept>
#include <thread>

#include "results/events/run_folder.h"
#include "tests/runner/run_program.h"

namespace runner {
namespace {

namespace fs = std::filesystem;

const std::string kId(32, 'a'), kOther(32, 'b');

class Controls : public ::testing::Test {
 protected:
  // Makes the events of a run `bytes` long.
  void write_events(const std::string& id, std::size_t bytes) {
    const fs::path folder = results::run_folder(here(), id);
    fs::create_directories(folder);
    std::ofstream(folder / results::kEventFile) << std::string(bytes, 'x');
  }
  const fs::path& here() const { return folder_.path(); }
  fs::path control() const { return here() / kControlFolder; }
  ScratchFolder folder_;
};

}  // namespace

TEST_F(Controls, AreNoneAtFirst) {
  const Control wanted = read_control(here());
  EXPECT_FALSE(wanted.jobs);
  EXPECT_TRUE(wanted.cancelled.empty());
  EXPECT_FALSE(fs::exists(control()));
}

TEST_F(Controls, KeepHowManyRunAtATime) {
  set_jobs(here(), 3);
  EXPECT_EQ(read_control(here()).jobs, 3);
  set_jobs(here(), 0);
  EXPECT_EQ(read_control(here()).jobs, 0);
  set_jobs(here(), std::nullopt);
  EXPECT_FALSE(read_control(here()).jobs);
}

TEST_F(Controls, CancelARunUntilItIsRetried) {
  cancel_runs(here(), {kId});
  EXPECT_TRUE(read_control(here()).cancelled.contains(kId));
  EXPECT_TRUE(who_wants(here(), kId).starts_with("cancelled by ")) << who_wants(here(), kId);
  EXPECT_EQ(who_wants(here(), kOther), "");
  retry_runs(here(), {kId});
  EXPECT_TRUE(read_control(here()).cancelled.empty());
  EXPECT_TRUE(who_wants(here(), kId).starts_with("retry requested by "));
}

// One file under many names needs one fsync.
TEST_F(Controls, OfManyRunsAreOneFile) {
  const auto links_of = [&](const std::string& name) {
    return fs::hard_link_count(control() / name);
  };
  cancel_runs(here(), {kOther});
  cancel_runs(here(), {kId, kOther, std::string(32, 'c')});
  EXPECT_EQ(read_control(here()).cancelled.size(), 3u);
  EXPECT_EQ(links_of(kId + ".cancelled"), 2u);
  EXPECT_TRUE(who_wants(here(), std::string(32, 'c')).starts_with("cancelled by "));
  retry_runs(here(), {kId, kOther});
  EXPECT_EQ(read_control(here()).cancelled.size(), 1u);
  EXPECT_EQ(links_of(kOther + ".retry-0"), 2u);
}

TEST_F(Controls, RetryARunUntilItHasStarted) {
  write_events(kId, 10);
  retry_runs(here(), {kId});
  EXPECT_TRUE(wants_retry(read_control(here()), here(), kId));
  EXPECT_FALSE(wants_retry(read_control(here()), here(), kOther));
  forget_started(here());
  EXPECT_TRUE(wants_retry(read_control(here()), here(), kId));
  write_events(kId, 20);
  EXPECT_FALSE(wants_retry(read_control(here()), here(), kId));
  EXPECT_EQ(who_wants(here(), kId), "");
  forget_started(here());
  EXPECT_TRUE(fs::is_empty(control()));
}

TEST_F(Controls, ForgetARetryThatHasStarted) {
  retry_runs(here(), {kId});
  cancel_runs(here(), {kOther});
  forget_retry(here(), kId);
  forget_retry(here(), kOther);
  EXPECT_FALSE(wants_retry(read_control(here()), here(), kId));
  EXPECT_TRUE(read_control(here()).cancelled.contains(kOther));
}

TEST_F(Controls, IgnoreUnknownFilesAndReportDamagedOnes) {
  cancel_runs(here(), {kId});
  for (const char* name : {"x", "x.cancelled", ".tmp"}) std::ofstream(control() / name) << "?";
  std::ofstream(control() / (kOther + ".retry-1x")) << "?";
  EXPECT_EQ(read_control(here()).cancelled.size(), 1u);
  EXPECT_TRUE(read_control(here()).retries.empty());
  for (const char* text : {"", "[]", "{}", R"({"schema":"lcsm.control/1","jobs":"2"})",
                           R"({"schema":"lcsm.control/1","jobs":-1})",
                           R"({"schema":"lcsm.control/1","jobs":4294967294})"}) {
    std::ofstream(control() / "jobs.json") << text;
    EXPECT_THROW(read_control(here()), std::invalid_argument) << text;
  }
}

TEST_F(Controls, AreWatchedForChanges) {
  ControlWatch watch(here());
  EXPECT_TRUE(watch.changed());
  watch.changed();
  EXPECT_FALSE(watch.changed());
  cancel_runs(here(), {kId});
  EXPECT_TRUE(watch.changed());
  EXPECT_TRUE(watch.changed()) << "once more: it may have changed again within the clock's tick";
  EXPECT_FALSE(watch.changed());
}

}  // namespace runner
