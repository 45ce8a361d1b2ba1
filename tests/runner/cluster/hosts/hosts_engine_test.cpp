// `lcsm run --on hosts`. All hosts are this one; some have their own workspace.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <fstream>

#include "runner/cluster/hosts/host_script.h"
#include "runner/cluster/hosts/send.h"
#include "runner/workspace/claim.h"
#include "tests/results/kill_at_write.h"
#include "tests/runner/cluster/hosts/fake_hosts.h"
#include "tests/runner/fake_submission.h"

namespace runner {
namespace {

namespace fs = std::filesystem;

constexpr const char* kWays = "20, 21, 22, 23, 24, 25";

class RunHosts : public testing::Test {
 protected:
  void SetUp() override {
    if (!FakeSweep::can_run()) GTEST_SKIP() << "lcsm or fake_train was not built";
    const FakeSweep calm(kWays);
    ASSERT_EQ(calm.run().status, 0);
    wanted_ = results_of(calm);
  }

  fs::path of(const std::string& host) const { return sweep_.folder() / host; }
  std::string own(const std::string& host) const {
    return "[" + host + "]\njobs = 2\nworkspace = \"" + of(host).string() + "\"\n";
  }
  void hosts(const std::string& text) const {
    std::ofstream(sweep_.folder() / "hosts.toml") << text;
  }
  Ran run(Words more = {"--wait"}, const Words& environment = {}) const {
    more.insert(more.begin(), {"--on", "hosts"});
    return sweep_.run(more, fakes_.environment(environment));
  }
  void expect_the_wanted_results() const {
    EXPECT_EQ(results_of(sweep_), wanted_);
    const Ran again = run({});
    EXPECT_EQ(again.out, "mine: nothing to submit, 6 done, 0 failed, 0 left of 6\n") << again.err;
  }  // As its host would note it.
  void kill_element(const std::string& host) const {
    for (const auto& entry : fs::recursive_directory_iterator(of(host) / "submissions")) {
      if (entry.path().extension() != ".host") continue;
      pid_t process = 0;
      std::ifstream(entry.path()) >> process;
      kill(process, SIGKILL);
    }
  }

  FakeHosts fakes_;
  FakeSweep sweep_{kWays};
  std::string wanted_;
};

TEST_F(RunHosts, ThatShareTheWorkspaceTrainOneSubmission) {
  hosts("[abacus]\njobs = 2\n[basil]\n");
  const Ran ran = run();
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_NE(ran.out.find("mine: 6 runs to abacus, basil, which share this workspace\n"),
            std::string::npos)
      << ran.out << ran.err;
  for (int way = 20; way < 26; ++way) EXPECT_EQ(newest_claim(sweep_.folder_of(way)), 1);
  expect_the_wanted_results();
}

TEST_F(RunHosts, WithAWorkspaceOfTheirOwnEachTrainsItsPart) {
  hosts(own("abacus") + own("basil"));
  const Ran ran = run();
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_NE(ran.out.find("mine: 3 runs to abacus, with a workspace of its own\n"),
            std::string::npos)
      << ran.out << ran.err;
  for (int way = 20; way < 26; ++way) {
    const std::string id = sweep_.id(way);
    EXPECT_NE(fs::exists(of("abacus") / "runs" / id), fs::exists(of("basil") / "runs" / id));
    EXPECT_EQ(claim_end(sweep_.folder_of(way), 1), results::RunState::kInterrupted);
    EXPECT_TRUE(fs::exists(sweep_.folder_of(way) / "checkpoints"));
  }
  expect_the_wanted_results();
}

TEST_F(RunHosts, EndsAndTheHostsGoOn) {
  hosts(own("abacus") + "[basil]\n");
  EXPECT_EQ(run({}, {"FAKE_STEP_MS=200"}).status, 0);
  const Ran again = run({});
  EXPECT_NE(again.out.find(": nothing to submit, "), std::string::npos) << again.out << again.err;
  EXPECT_NE(again.err.find("training on "), std::string::npos) << again.err;
  EXPECT_EQ(run().status, 0);
  EXPECT_EQ(fakes_.calls_of("host.sh start "), 2U);
  expect_the_wanted_results();
}

TEST_F(RunHosts, AHostThatDoesNotAnswerMayTrain) {
  hosts(own("abacus") + "[basil]\n");
  // It starts, but its answer is lost.
  fakes_.before_ssh("case $* in *'host.sh start '*) sh -c \"$*\"; exit 255;; esac");
  EXPECT_EQ(run({}, {"FAKE_STEP_MS=200"}).status, 0);
  fakes_.before_ssh("exit 255");
  const Ran unheard = run({});
  EXPECT_TRUE(has(unheard.out, ": nothing to submit, ")) << unheard.out << unheard.err;
  fakes_.before_ssh("");
  EXPECT_EQ(run().status, 0);
  EXPECT_EQ(fakes_.calls_of("host.sh start "), 2U);
  expect_the_wanted_results();
}

TEST_F(RunHosts, WaitsOnWhileAHostDoesNotAnswer) {
  hosts(own("abacus"));
  fakes_.before_ssh("[ $call = 3 ] && exit 255");  // the first look at the worker
  const Ran ran = run({"--wait"}, {"FAKE_STEP_MS=50"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_TRUE(has(ran.err, "lcsm run: abacus: exit status 255: see `ssh abacus`")) << ran.err;
  expect_the_wanted_results();
}

// Programs with libraries for GPUs take hours on a slow line.
TEST_F(RunHosts, EndsWhenItIsToldToWhileAHostDoesNotAnswer) {
  hosts(own("abacus"));
  for (const int call : {1, 2, 4}) {
    fakes_.before_ssh("[ $call = " + std::to_string(call) + " ] && exec sleep 1000");
    Words words = sweep_.run_words({"--on", "hosts", "--wait"});
    Background lcsm(words, sweep_.folder() / "out", fakes_.environment({"FAKE_STEP_MS=200"}));
    ASSERT_TRUE(comes_true([&] { return fakes_.calls_of("ssh -o") == std::size_t(call); }));
    kill(lcsm.id(), SIGINT);
    ASSERT_TRUE(comes_true([&] { return lcsm.over(); })) << call;
    EXPECT_EQ(lcsm.wait(), 5) << lcsm.output();
    EXPECT_TRUE(has(lcsm.output(), "interrupted: the same command continues")) << lcsm.output();
    EXPECT_FALSE(fs::exists(sweep_.workspace() / "submissions/.files-abacus"));
  }
  fakes_.before_ssh("");
  EXPECT_EQ(run().status, 0);
  expect_the_wanted_results();
}

TEST_F(RunHosts, KilledAtAnyCallItStartsNothingTwice) {
  const fs::path workspace = sweep_.workspace();
  hosts(own("abacus") + "[basil]\n");
  int call = 1;
  for (bool killed = true; killed; call += results::kStride) {
    for (const fs::path& folder : {workspace, of("abacus")}) fs::remove_all(folder);
    fs::remove(fakes_.folder() / "calls");
    fakes_.before_ssh("if [ $call = " + std::to_string(call) + " ]; then kill -9 $PPID; fi");
    killed = run({}).status == 128 + SIGKILL;
    fakes_.before_ssh("");
    ASSERT_EQ(run().status, 0) << "killed at call " << call;
    expect_the_wanted_results();
    const Ran attempts =
        sweep_.lcsm({"query", "SELECT max(attempts) FROM runs", "--format", "csv"});
    EXPECT_NE(attempts.out.find("\n1\n"), std::string::npos) << call << attempts.out;
  }
  EXPECT_GT(call, 4);
}

TEST_F(RunHosts, WhatDoesNotAnswerIsSaidAndOthersTrain) {
  fakes_.before_ssh(
      "if [ $host = down ]; then "
      "printf 'ssh: connect to host down port 22: No route to host\\r\\n' >&2; exit 255; fi");
  hosts("[down]\n" + own("abacus"));
  const Ran ran = run();
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_NE(
      ran.err.find("down: ssh: connect to host down port 22: No route to host: see `ssh down`"),
      std::string::npos)
      << ran.err;
  expect_the_wanted_results();
}

TEST_F(RunHosts, NoHostIsAFailureThatLeavesNothing) {
  fakes_.before_ssh("echo 'ada@abacus: Permission denied (publickey).' >&2; exit 255");
  hosts("[abacus]\n");
  const Ran ran = run();
  EXPECT_EQ(ran.status, 1);
  EXPECT_NE(ran.err.find("Permission denied (publickey).: make ssh log in without a prompt"),
            std::string::npos)
      << ran.err;
  EXPECT_FALSE(fs::exists(sweep_.workspace() / "submissions"));
  fakes_.before_ssh("case $* in *'host.sh start '*) exit 1;; esac");
  hosts("[abacus]\n" + own("basil"));
  const Ran unstarted = run();
  EXPECT_EQ(unstarted.status, 1);
  EXPECT_TRUE(has(unstarted.err, "expected a host that can be started, got none")) << unstarted.err;
  EXPECT_TRUE(fs::is_empty(sweep_.workspace() / "submissions"));
  for (int way = 20; way < 26; ++way) EXPECT_TRUE(is_free(sweep_.workspace(), sweep_.id(way)));
  fs::remove(sweep_.folder() / "hosts.toml");
  EXPECT_EQ(run().status, 3);
}

TEST_F(RunHosts, ARunThatAnotherProcessHasIsLeftToIt) {
  hosts(own("abacus"));
  ClaimOwner other = this_owner();
  other.node = "another";
  fs::create_directories(sweep_.workspace() / "runs");
  ASSERT_TRUE(make_claim(sweep_.folder_of(20), {.owner = other}, true, 0));
  const Ran sent = run({});
  EXPECT_TRUE(has(sent.err, "1 run may be in training in another process")) << sent.err;
  EXPECT_TRUE(has(sent.out, "5 runs to abacus")) << sent.out;
}

TEST_F(RunHosts, AHostWhoseLoginShellPrintsTextTrainsOrIsExplained) {
  fakes_.before_ssh("echo Welcome; printf 'to the lab'");
  hosts("[abacus]\njobs = 2\n");
  const Ran ran = run();
  EXPECT_EQ(ran.status, 0) << ran.err;
  expect_the_wanted_results();
  if (!fs::exists("/usr/bin/rsync")) GTEST_SKIP() << "no rsync on this host";
  fakes_.use_real_rsync();
  fs::remove_all(sweep_.workspace());
  hosts(own("basil"));
  const Ran refused = run();
  EXPECT_TRUE(has(refused.err, ": its login shell prints text before each command")) << refused.err;
}

// A host that is removed from hosts.toml gives its runs to others.
TEST_F(RunHosts, AHostThatWasTakenOutGivesUpItsRuns) {
  hosts(own("abacus") + own("basil"));
  EXPECT_EQ(run({}, {"FAKE_STEP_MS=100000"}).status, 0);
  const std::string status = sweep_.lcsm({"status", sweep_.file().string()}).out;
  EXPECT_NE(status.find("hosts abacus, basil"), std::string::npos) << status;
  EXPECT_NE(status.find("6 running"), std::string::npos) << status;
  for (const char* host : {"abacus", "basil"}) kill_element(host);
  hosts(own("abacus"));
  const Ran ran = run();
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_NE(ran.err.find("basil is no longer in hosts.toml: other hosts may train its runs"),
            std::string::npos)
      << ran.err;
  EXPECT_NE(ran.out.find("6 runs to abacus"), std::string::npos) << ran.out;
  expect_the_wanted_results();
}

TEST_F(RunHosts, ARequestReachesAWorkspaceOfItsOwn) {
  hosts(own("abacus"));
  EXPECT_EQ(run({}, {"FAKE_STEP_MS=500"}).status, 0);
  const Ran unsent = sweep_.lcsm({"cancel", sweep_.id(22)});
  EXPECT_NE(unsent.err.find("sent to host abacus by the next `lcsm run --on hosts`, since sending "
                            "failed: abacus: "),
            std::string::npos)
      << unsent.err;
  const Ran sent = run_program({program_beside("lcsm").string(), "cancel", sweep_.file().string(),
                                "--workspace", sweep_.workspace().string()},
                               fakes_.environment());
  EXPECT_TRUE(sent.err.ends_with("sent to host abacus\n")) << sent.err;
  EXPECT_TRUE(fs::exists(of("abacus") / "control" / (sweep_.id(22) + ".cancelled")));
  const Ran ran = run();
  EXPECT_NE(ran.out.find("0 failed"), std::string::npos) << ran.out << ran.err;
  EXPECT_EQ(sweep_.state(22), "cancelled");
  for (int way = 20; way < 26; ++way) sweep_.lcsm({"retry", sweep_.id(way)});
  EXPECT_EQ(run().status, 0);
  expect_the_wanted_results();
}

// nvidia-smi may take long where no program keeps the GPUs ready.
TEST_F(RunHosts, AHostWhoseGpusAnswerLateHasStarted) {
  const fs::path tool = fakes_.folder() / "bin/nvidia-smi", part = of("submissions") / "mine-1";
  std::ofstream(tool) << "#!/bin/sh\nsleep 6\n";
  fs::permissions(tool, fs::perms::owner_all);
  fs::create_directories(part);
  std::ofstream(part / "host.sh") << host_script("program");
  const Ran ran = run_program({"sh", (part / "host.sh").string(), "start", "abacus", "1", "all"},
                              fakes_.environment());
  EXPECT_EQ(ran.status, 0) << ran.err;
}

// Its runs are given to other hosts.
TEST_F(RunHosts, AWorkerThatDoesNotBeginInTimeIsEnded) {
  const fs::path slow = fakes_.folder() / "bin/setsid", part = of("submissions") / "mine-1";
  std::ofstream(slow) << "#!/bin/sh\necho $$ > '" << of("slow").string() << "'\nexec sleep 1000\n";
  fs::permissions(slow, fs::perms::owner_all);
  fs::create_directories(part);
  std::ofstream(part / "host.sh") << host_script("program");
  const Ran ran = run_program({"sh", (part / "host.sh").string(), "start", "abacus", "1", ""},
                              fakes_.environment());
  EXPECT_EQ(ran.status, 1);
  EXPECT_TRUE(has(ran.err, "it did not start: ")) << ran.err;
  pid_t process = 0;
  std::ifstream(of("slow")) >> process;
  ASSERT_GT(process, 0);
  EXPECT_TRUE(comes_true([&] { return kill(process, 0) != 0; }));
}

// A host pauses when its disk is nearly full.
TEST_F(RunHosts, AHostThatPausesIsReported) {
  hosts(own("abacus"));
  EXPECT_EQ(run({}, {"FAKE_STEP_MS=1000"}).status, 0);
  for (const auto& entry : fs::directory_iterator(of("abacus") / "submissions"))
    std::ofstream(entry.path() / "abacus.log", std::ios::app) << "lcsm run: paused: 2 MB left\n";
  const Ran ran = run({});
  EXPECT_NE(ran.err.find("abacus: lcsm run: paused: 2 MB left\n"), std::string::npos) << ran.err;
  kill_element("abacus");
}

// A host may return anything, and this workspace may have links that somebody put there.
TEST_F(RunHosts, OnlyRegularFilesAndFoldersComeBack) {
  if (!fs::exists("/usr/bin/rsync")) GTEST_SKIP() << "no rsync on this host";
  fakes_.use_real_rsync();
  hosts(own("abacus"));
  ASSERT_EQ(run({}).status, 0);
  const fs::path here = sweep_.folder_of(20), outside = sweep_.folder() / "outside";
  const fs::path there = of("abacus") / "runs" / sweep_.id(20);
  for (const fs::path& folder : {outside, there / "extra", there / "..."})
    fs::create_directory(folder);
  std::ofstream(outside / "kept") << "mine";
  for (const char* file : {"extra/kept", "setuid", "..up", "new\nline"}) {
    std::ofstream(there / file) << "theirs";
    fs::permissions(there / file, fs::perms::all | fs::perms::set_uid | fs::perms::set_gid);
  }
  fs::create_symlink(outside / "kept", there / "link");
  fs::create_symlink("../../../outside/kept", there / "link-up");
  fs::create_directory_symlink(outside, there / "folder-link");
  fs::create_hard_link(outside / "kept", there / "hard-link");
  ASSERT_EQ(mkfifo((there / "pipe").c_str(), 0666), 0);
  std::string expected = "folder-link";
  if (mknod((there / "device").c_str(), S_IFCHR | 0666, makedev(1, 3)) == 0) expected = "device";
  fs::create_directory_symlink(outside, here / "extra");

  const Ran ran = run();
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_TRUE(has(ran.err, "abacus has links, pipes or devices, which are not fetched: runs/" +
                               sweep_.id(20) + "/" + expected))
      << ran.err;
  for (const auto& entry : fs::recursive_directory_iterator(sweep_.workspace())) {
    const fs::file_status found = entry.symlink_status();
    EXPECT_TRUE(fs::is_regular_file(found) || fs::is_directory(found)) << entry.path();
    struct stat facts {};
    ASSERT_EQ(lstat(entry.path().c_str(), &facts), 0);
    EXPECT_EQ(facts.st_mode & (S_ISUID | S_ISGID | S_IWOTH), 0U) << entry.path();
  }
  EXPECT_EQ(fs::hard_link_count(here / "hard-link"), 1U);
  EXPECT_EQ(read_file(here / "extra/kept"), "theirs");
  EXPECT_EQ(read_file(outside / "kept"), "mine");
  EXPECT_EQ(std::distance(fs::directory_iterator(outside), {}), 1);
  EXPECT_FALSE(fs::exists(sweep_.workspace() / "runs/kept"));
  expect_the_wanted_results();
}

TEST_F(RunHosts, AFileWhereAFolderIsRefusedAndLosesNothing) {
  if (!fs::exists("/usr/bin/rsync")) GTEST_SKIP() << "no rsync on this host";
  fakes_.use_real_rsync();
  hosts(own("abacus"));
  ASSERT_EQ(run({}).status, 0);
  const fs::path here = sweep_.folder_of(20) / "notes";
  const fs::path there = of("abacus") / "runs" / sweep_.id(20) / "notes";
  fs::create_directory(here);
  std::ofstream(here / "mine.txt") << "mine";
  std::ofstream(there) << "theirs";
  const Ran refused = run({});
  EXPECT_TRUE(has(refused.err, "the host has a file where this workspace has a folder"))
      << refused.err;
  EXPECT_EQ(read_file(here / "mine.txt"), "mine");
  fs::remove(there);
  EXPECT_EQ(run().status, 0);
  expect_the_wanted_results();
}

// A host with its own workspace gets the run whose weights its run starts from.
TEST_F(RunHosts, TheRunThatAnotherStartsFromIsSent) {
  const std::string from(32, 'a'), id(32, 'b');
  const fs::path workspace = sweep_.folder() / "workspace";
  for (const std::string& run : {from, id}) {
    fs::create_directories(workspace / "runs" / run);
    std::ofstream(workspace / "runs" / run / "config.toml") << "[model]\n";
  }
  fs::create_directories(workspace / "frozen/program");
  Submission whole{"mine-1", "program", {"mine", "", "", ""}};
  whole.runs = {{.id = id, .name = "", .config = "[model]\nfrom = \"" + from + "\"\n"}};
  hosts(own("abacus"));
  const std::string path = std::getenv("PATH"), ours = fakes_.environment().front();
  setenv("PATH", ours.substr(ours.find('=') + 1).c_str(), 1);
  const TrainingHost abacus = find_hosts(sweep_.file(), workspace).front();
  fs::create_directory(of("abacus"));
  const Said quiet = [](const std::string&) {};
  EXPECT_EQ(send_to_hosts(workspace, whole, {{abacus}}, quiet).size(), 1U);
  // Its run is claimed: neither a second submission nor a part that was never started gets it.
  whole.token = "mine-2";
  EXPECT_TRUE(send_to_hosts(workspace, whole, {{abacus}}, quiet).empty());
  write_submission(workspace, whole);
  fs::remove(workspace / "submissions/mine-1-abacus/hosts.json");
  write_part(workspace, {"mine-2", "mine", false, {abacus}});
  EXPECT_TRUE(look_at_hosts(workspace, {abacus}, quiet).open.empty());
  EXPECT_EQ(fakes_.calls_of("host.sh start "), 1U);
  setenv("PATH", path.c_str(), 1);
  EXPECT_TRUE(fs::exists(of("abacus") / "runs" / from / "config.toml"));
  EXPECT_TRUE(fs::exists(of("abacus") / "runs" / id / "config.toml"));
}

// Without hosts.toml: the user merges by hand the runs of two hosts, one of them unfinished.
TEST_F(RunHosts, TwoWorkspacesJoinedByRsyncAreOne) {
  if (!fs::exists("/usr/bin/rsync")) GTEST_SKIP() << "no rsync on this host";
  const FakeSweep one("20, 21, 22"), other("23, 24, 25");
  ASSERT_EQ(one.run().status, 0);
  Background cut(other.run_words(), other.folder() / "out", {"FAKE_STEP_MS=100"});
  // Any checkpoint: a busy host may look only when the first has been replaced.
  ASSERT_TRUE(comes_true([&] {
    std::error_code not_yet;
    return fs::directory_iterator(other.folder_of(24) / "checkpoints", not_yet) !=
           fs::directory_iterator();
  }));
  kill(cut.id(), SIGTERM);
  cut.wait();
  for (const FakeSweep* from : {&one, &other})
    ASSERT_EQ(run_program({"/usr/bin/rsync", "-a", from->workspace().string() + "/runs",
                           sweep_.workspace().string() + "/"})
                  .status,
              0);
  const Ran ran = sweep_.run();
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(results_of(sweep_), wanted_);
}

TEST_F(RunHosts, ADryRunPrintsAndLeavesNothing) {
  hosts("[abacus]\nssh = \"ada@abacus.lab\"\njobs = 3\n");
  const Ran ran = run({"--dry-run"});
  EXPECT_NE(ran.out.find("ssh -o BatchMode=yes -o ConnectTimeout=10 -- ada@abacus.lab "),
            std::string::npos)
      << ran.out;
  const Ran plan = sweep_.lcsm({"plan", sweep_.file().string(), "--on", "hosts", "--json"});
  EXPECT_NE(plan.out.find("\"slots\": 3"), std::string::npos) << plan.out << plan.err;
  EXPECT_FALSE(fs::exists(sweep_.workspace()));
  EXPECT_EQ(fakes_.calls_of("ssh"), 0U);
}

}  // namespace
}  // namespace runner
