// `lcsm-train run`, run as a program.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "runner/base/process/run_end.h"
#include "tests/runner/run_program.h"

namespace runner {
namespace {

namespace fs = std::filesystem;

class Run : public testing::Test {
 protected:
  void SetUp() override {
    program = program_beside("lcsm-train").string();
    if (program.empty()) GTEST_SKIP() << "lcsm-train was not built";
  }

  Words command(const Words& more) const {
    Words words = {program,       "run",
                   "--workspace", (scratch.path() / "ws").string(),
                   "--set",       "task.name=mqar",
                   "--set",       "model.code=1-3-1-2",
                   "--set",       "task.vocab=16",
                   "--set",       "task.length=8",
                   "--set",       "task.pairs=2",
                   "--set",       "task.train=64",
                   "--set",       "optim.batch=8",
                   "--set",       "model.d=8",
                   "--set",       "run.threads=1"};
    for (const std::string& setting : more) {
      words.push_back("--set");
      words.push_back(setting);
    }
    return words;
  }
  Ran run(const Words& more) const { return run_program(command(more)); }
  fs::path run_folder() const {
    return fs::directory_iterator(scratch.path() / "ws" / "runs")->path();
  }

  std::string program;
  ScratchFolder scratch;
};

TEST_F(Run, PrintsItsResultsAndThenThatItIsDone) {
  const Ran first = run({"optim.epochs=1"});
  EXPECT_EQ(first.status, 0) << first.err;
  for (const char* part : {"run ", "step 8\n", "valid.accuracy ", "test.accuracy ", "test.loss "})
    EXPECT_NE(first.out.find(part), std::string::npos) << first.out;
  EXPECT_TRUE(fs::exists(run_folder() / "checkpoints/8/model.safetensors"));
  const std::string events = read_file(run_folder() / "events.jsonl");
  const Ran again = run({"optim.epochs=1"});
  EXPECT_EQ(again.status, 0);
  EXPECT_NE(again.err.find("is already done"), std::string::npos);
  EXPECT_EQ(read_file(run_folder() / "events.jsonl"), events);
}

TEST_F(Run, SaysWhoRefusesAConfiguration) {
  const Ran ran = run_program({program, "run", "--set", "model.code=1-3-1-2"});
  EXPECT_EQ(ran.status, 2);
  EXPECT_TRUE(ran.err.starts_with("lcsm-train run: task.name is missing: ")) << ran.err;
  EXPECT_TRUE(ran.err.ends_with("\n")) << ran.err;
}

TEST_F(Run, ReadsTheTextsOfItsWorkspace) {
  const fs::path texts = scratch.path() / "ws" / "data" / "text";
  fs::create_directories(texts);
  for (const char* split : {"train", "valid", "test"})
    std::ofstream(texts / (std::string(split) + ".txt")) << std::string(99, 'a') << "\n";
  const Ran ran = run({"task.name=text", "optim.steps=1", "model.layers=1"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_NE(ran.out.find("test.ppl "), std::string::npos) << ran.out;
}

TEST_F(Run, TakesAWorkspaceWhoseNameIsNotUtf8) {
  Words words = command({"optim.steps=1"});
  words[3] = (scratch.path() / "w\xff").string();
  const Ran ran = run_program(words);
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_TRUE(fs::exists(fs::directory_iterator(words[3] + "/runs")->path() / "environment.json"));
}

TEST_F(Run, ReadsTheConfigurationThatItWrote) {
  run({"optim.epochs=1"});
  const Ran again = run_program({program, "run", (run_folder() / "config.toml").string(),
                                 "--workspace", (scratch.path() / "ws").string()});
  EXPECT_NE(again.err.find("is already done"), std::string::npos) << again.err;
}

// The folder has the id that another version of lcsm gave the run.
TEST_F(Run, RefusesTheRunOfAnotherVersion) {
  ASSERT_EQ(run({"optim.epochs=1"}).status, 0);
  const fs::path other = scratch.path() / "ws/runs" / std::string(32, 'a');
  fs::rename(run_folder(), other);
  const Ran ran = run_program({program, "run", (other / "config.toml").string(), "--claim", "1",
                               "--workspace", (scratch.path() / "ws").string()});
  EXPECT_EQ(ran.status, 2);
  EXPECT_NE(ran.err.find("expected the configuration of run aaaaaaaa, got that of run "),
            std::string::npos)
      << ran.err;
  EXPECT_NE(ran.err.find("are of different versions: build both again"), std::string::npos);
}

TEST_F(Run, RefusesWhatNoGpuTrains) {
  const Ran delta = run({"run.device=cuda", "model.code=fwp", "model.k=130"});
  EXPECT_EQ(delta.status, 2);
  EXPECT_NE(
      delta.err.find("oscillation fwp on a GPU: expected at most 128 rows for the delta rule"),
      std::string::npos)
      << delta.err;
  EXPECT_FALSE(fs::exists(scratch.path() / "ws" / "runs"));
}

TEST_F(Run, RejectsABadConfigurationWithItsPlaces) {
  std::ofstream(scratch.path() / "bad.toml") << "task.name = 'mqar'\nmodel.code = '1-99-1-0'\n"
                                                "optim.lrr = 1\n";
  const Ran ran = run_program({program, "run", (scratch.path() / "bad.toml").string(),
                               "--workspace", (scratch.path() / "ws").string()});
  EXPECT_EQ(ran.status, 2);
  EXPECT_NE(ran.err.find("bad.toml:2:"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("bad.toml:3:"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("did you mean 'optim.lr'"), std::string::npos) << ran.err;
  EXPECT_FALSE(fs::exists(scratch.path() / "ws"));
}

TEST_F(Run, NamesMissingData) {
  const Ran ran = run({"task.name=wikitext-2"});
  EXPECT_EQ(ran.status, 3);
  EXPECT_NE(ran.err.find("wikitext-2"), std::string::npos) << ran.err;
  EXPECT_FALSE(fs::exists(scratch.path() / "ws/runs"));
}

TEST_F(Run, RefusesDamagedData) {
  const fs::path ws = scratch.path() / "ws";
  ASSERT_EQ(run_lcsm({"data", "make", "nss", "--workspace", ws.string()}).status, 0);
  std::string bytes = read_file(ws / "data/nss/train.set");
  bytes[bytes.size() / 2] ^= 1;
  std::ofstream(ws / "data/nss/train.set") << bytes;
  const Ran ran = run({"task.name=nss"});
  EXPECT_EQ(ran.status, 3);
  EXPECT_NE(ran.err.find("they differ from what was written"), std::string::npos) << ran.err;
}

TEST_F(Run, EndsWhenItDiverges) {
  const Ran ran = run({"optim.lr=1e8", "optim.epochs=2"});
  EXPECT_EQ(ran.status, exit_status_of(results::RunState::kDiverged)) << ran.err;
  EXPECT_NE(ran.err.find("step "), std::string::npos) << ran.err;
  EXPECT_NE(read_file(run_folder() / "events.jsonl").find("\"status\":\"diverged\""),
            std::string::npos);
}

TEST_F(Run, ShowsItsProgressOnATerminal) {
  const Ran ran = run_on_terminal(command({"optim.epochs=20", "eval.epochs=10"}));
  EXPECT_EQ(ran.status, 0);
  EXPECT_NE(ran.out.find("\033[Kstep "), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("tokens/s"), std::string::npos);
}

// A separate process, asked to stop as soon as it has reported progress.
class InterruptedRun : public Run {
 protected:
  int stop_with(int signal, const Words& settings) {
    const pid_t child = fork();
    if (child == 0) {
      const Words words = command(settings);
      std::vector<char*> argv;
      for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
      argv.push_back(nullptr);
      const int nowhere = open("/dev/null", O_WRONLY);
      dup2(nowhere, 1);
      dup2(nowhere, 2);
      execv(argv[0], argv.data());
      _exit(127);
    }
    ++attempts;
    EXPECT_TRUE(comes_true([this] { return trains(); }));
    busy = run(settings).status;
    kill(child, signal);
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

  // The last attempt has reported progress.
  bool trains() const {
    if (!fs::exists(scratch.path() / "ws/runs") || fs::is_empty(scratch.path() / "ws/runs") ||
        !fs::exists(run_folder() / "events.jsonl"))
      return false;
    const std::string attempt = "\"attempt\":" + std::to_string(attempts) + ",";
    const std::string events = read_file(run_folder() / "events.jsonl");
    const std::size_t begun = events.find(attempt);
    return begun != std::string::npos && events.find("train.loss", begun) != std::string::npos;
  }

  int attempts = 0;
  int busy = -1;  // exit status of a second, concurrent process on the run
};

TEST_F(InterruptedRun, KeepsItsCheckpointAndResumes) {
  const Words endless = {"optim.epochs=1000000", "run.log_steps=1"};
  EXPECT_EQ(stop_with(SIGTERM, endless), exit_status_of(results::RunState::kInterrupted));
  EXPECT_EQ(busy, exit_status_of(results::RunState::kBusy));
  EXPECT_FALSE(fs::is_empty(run_folder() / "checkpoints"));
  EXPECT_EQ(stop_with(SIGINT, endless), exit_status_of(results::RunState::kInterrupted));
  EXPECT_EQ(stop_with(SIGUSR2, endless), exit_status_of(results::RunState::kInterrupted));
  EXPECT_EQ(stop_with(SIGHUP, endless), exit_status_of(results::RunState::kInterrupted));
  EXPECT_EQ(stop_with(SIGKILL, endless), 128 + SIGKILL);
  const std::string events = read_file(run_folder() / "events.jsonl");
  EXPECT_NE(events.find("\"attempt\":5"), std::string::npos);
  EXPECT_NE(read_file(run_folder() / "stderr.log").find("resumed after step"), std::string::npos);
}

}  // namespace
}  // namespace runner
