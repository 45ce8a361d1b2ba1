// Sends runs to hosts and fetches their results. All hosts are folders on this host.
#include "runner/cluster/hosts/send.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "runner/base/process/process_facts.h"
#include "runner/cluster/hosts/host_script.h"
#include "runner/cluster/submission/submission.h"
#include "runner/workspace/control.h"
#include "tests/runner/cluster/hosts/fake_hosts.h"

namespace runner {
namespace {

namespace fs = std::filesystem;

class Send : public testing::Test {
 protected:
  Send() : path_(std::getenv("PATH")) {
    const std::string ours = fakes_.environment().front();
    setenv("PATH", ours.substr(ours.find('=') + 1).c_str(), 1);
    for (const char* folder : {"runs", "submissions", "frozen/program"})
      fs::create_directories(workspace() / folder);
  }
  ~Send() override { setenv("PATH", path_.c_str(), 1); }

  fs::path workspace() const { return folder_.path() / "workspace"; }
  static std::string id(int run) { return std::string(32, static_cast<char>('0' + run)); }
  TrainingHost shared(const std::string& name) const {
    return {name, name, workspace().string(), 0, ""};
  }
  TrainingHost own(const std::string& name) const {
    fs::create_directories(folder_.path() / name);
    return {name, name, (folder_.path() / name).string(), 0, ""};
  }
  static Submission submission(int runs) {
    Submission whole{"mine-1", "program", {"mine", "", "", ""}};
    for (int i = 0; i < runs; ++i)
      whole.runs.push_back({.id = id(i), .name = "", .config = "[model]\n", .seconds = 10});
    return whole;
  }
  void begin(const HostPart& part, int runs) const {
    Submission submitted = submission(runs);
    submitted.token = part.token;
    write_submission(workspace(), submitted);
    std::ofstream(script(workspace(), part)) << host_script("program");
    write_part(workspace(), part);
  }
  static fs::path script(const fs::path& of, const HostPart& part) {
    return of / "submissions" / part.token / "host.sh";
  }
  // Notes this process as the worker, or one that has ended.
  void note_worker(const HostPart& part, const TrainingHost& host, bool alive) const {
    const fs::path there = script(host.workspace, part);
    fs::create_directories(there.parent_path());
    std::ofstream(there) << host_script("program");
    std::ofstream(there.parent_path() / (host.name + ".log")) << "a line\n";
    std::ofstream(there.parent_path() / (host.name + ".host"))
        << getpid() << " " << facts_of_process(getpid())->started + (alive ? 0 : 1) << " "
        << boot_id() << "\n";
  }
  HostsLook look(const std::vector<TrainingHost>& hosts) {
    return look_at_hosts(workspace(), hosts, say_);
  }

  ScratchFolder folder_;
  FakeHosts fakes_;
  std::string path_, said_;
  Said say_ = [this](const std::string& text) { said_ += text + "\n"; };
};

TEST_F(Send, RunsAreSplitByTheRunsThatHostsTrainAtATime) {
  const auto parts = send_to_hosts(
      workspace(), submission(8),
      {{own("large"), 3}, {own("small"), 1}, {shared("a"), 2, true}, {shared("b"), 2, true}}, say_);
  ASSERT_EQ(parts.size(), 3U) << said_;
  EXPECT_EQ(submitted_runs(workspace(), "mine-1-large").size(), 3U);
  EXPECT_EQ(submitted_runs(workspace(), "mine-1-small").size(), 1U);
  EXPECT_EQ(submitted_runs(workspace(), "mine-1").size(), 4U);
}

TEST_F(Send, HostsTrainAsManyRunsAsTheyHaveCoresOrGpus) {
  TrainingHost given = own("given"), gpus = own("gpus");
  given.jobs = 7;
  gpus.gpus = "0,2,5";
  const auto ready = ready_hosts(workspace(), {given, gpus, own("plain"), shared("here")}, say_);
  ASSERT_EQ(ready.size(), 4U) << said_;
  EXPECT_EQ(ready[0].at_once, 7);
  EXPECT_EQ(ready[1].at_once, 3);
  EXPECT_EQ(ready[2].at_once, std::stod(run_program({"nproc"}).out));
  EXPECT_FALSE(ready[2].shared);
  EXPECT_TRUE(ready[3].shared);
  EXPECT_EQ(std::distance(fs::directory_iterator(workspace()), {}), 3) << "the probe is removed";
}

TEST_F(Send, AHostThatCannotTrainIsSaid) {
  EXPECT_TRUE(ready_hosts(workspace(), {{"abacus", "abacus", "/proc/lcsm", 0, ""}}, say_).empty());
  EXPECT_EQ(said_,
            "abacus: expected a writable folder at /proc/lcsm, got none: set 'workspace' in "
            "hosts.toml\n");
  const fs::path uname = fakes_.folder() / "bin/uname";
  std::ofstream(uname) << "#!/bin/sh\necho Linux aarch64\n";
  fs::permissions(uname, fs::perms::owner_all);
  said_.clear();
  EXPECT_TRUE(ready_hosts(workspace(), {own("basil")}, say_).empty());
  EXPECT_EQ(said_,
            "basil: expected Linux x86_64, as on this host, got Linux aarch64: remove it from "
            "hosts.toml\n");
}

TEST_F(Send, AHostThatTrainsGetsNoMoreRuns) {
  const TrainingHost abacus = own("abacus");
  const HostPart part{"mine-1-abacus", "mine", false, {abacus}};
  note_worker(part, abacus, /*alive=*/true);
  EXPECT_TRUE(ready_hosts(workspace(), {abacus}, say_).empty());
  EXPECT_EQ(said_, "abacus: is still training mine-1-abacus: it gets no more runs for now\n");
  note_worker(part, abacus, /*alive=*/false);
  EXPECT_EQ(ready_hosts(workspace(), {abacus}, say_).size(), 1U);
}

TEST_F(Send, APartIsOpenWhileOneOfItsHostsTrains) {
  const TrainingHost first = shared("first"), last = shared("last");
  const HostPart part{"mine-1", "mine", true, {first, last}};
  begin(part, 1);
  note_worker(part, first, /*alive=*/true);
  note_worker(part, last, /*alive=*/false);
  const HostsLook now = look({first, last});
  EXPECT_EQ(now.open.size(), 1U) << said_;
  EXPECT_EQ(now.running, Words{"first"});
  EXPECT_EQ(now.runs, std::set<std::string>{id(0)});
  note_worker(part, first, /*alive=*/false);
  EXPECT_TRUE(look({first, last}).open.empty());
  EXPECT_TRUE(open_parts(workspace()).empty());
}

// Checkpoints may be removed there while they are copied.
TEST_F(Send, AHostThatTrainsReturnsEventsAndGetsRequests) {
  const TrainingHost abacus = own("abacus");
  const HostPart part{"mine-1-abacus", "mine", false, {abacus}};
  begin(part, 1);
  note_worker(part, abacus, /*alive=*/true);
  const fs::path there = fs::path(abacus.workspace) / "runs" / id(0);
  const fs::path here = workspace() / "runs" / id(0);
  fs::create_directories(there / "checkpoints/10");
  std::ofstream(there / "events.jsonl") << "events";
  cancel_runs(workspace(), {id(0)});
  EXPECT_EQ(look({abacus}).running, Words{"abacus"}) << said_;
  EXPECT_EQ(read_file(here / "events.jsonl"), "events");
  EXPECT_FALSE(fs::exists(here / "checkpoints"));
  EXPECT_TRUE(fs::exists(fs::path(abacus.workspace) / "control" / (id(0) + ".cancelled")));
  note_worker(part, abacus, /*alive=*/false);
  EXPECT_TRUE(look({abacus}).open.empty());
  EXPECT_TRUE(fs::exists(here / "checkpoints/10"));
}

TEST_F(Send, AWorkerGetsTheJobsAndTheGpusOfItsHost) {
  TrainingHost host = own("abacus");
  host.jobs = 3;
  host.gpus = "0,2";
  EXPECT_TRUE(start_words(host, "mine-1")
                  .back()
                  .ends_with("/submissions/mine-1/host.sh start abacus 3 0,2"))
      << start_words(host, "mine-1").back();
  const HostPart part{"mine-1", "mine", false, {host}};
  const fs::path there = host.workspace, lcsm = there / "frozen/program/lcsm";
  const fs::path tool = fakes_.folder() / "bin/nvidia-smi";
  fs::create_directories(script(there, part).parent_path());
  fs::create_directories(lcsm.parent_path());
  std::ofstream(script(there, part)) << host_script("program");
  std::ofstream(lcsm)
      << "#!/bin/sh\necho \"${CUDA_VISIBLE_DEVICES-none} $SLURMD_NODENAME $3 $4\"\n";
  std::ofstream(tool) << "#!/bin/sh\necho GPU-a; echo GPU-b\n";
  for (const fs::path& program : {lcsm, tool}) fs::permissions(program, fs::perms::owner_all);
  for (const auto& [gpus, seen] : {std::pair("", "none"), {"0,2", "0,2"}, {"all", "GPU-a,GPU-b"}})
    EXPECT_EQ(run_program({"sh", script(there, part).string(), "become", "abacus", "3", gpus},
                          fakes_.environment())
                  .out,
              std::string(seen) + " abacus --jobs 3\n");
}

}  // namespace
}  // namespace runner
