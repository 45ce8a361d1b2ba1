#include "runner/base/host/resources.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>

#include "runner/base/process/command.h"
#include "runner/base/process/process_facts.h"

namespace runner {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;

// ----- Commands -----

TEST(Command, ReturnsOutputAndExitCode) {
  const CommandResult r = run_command({"sh", "-c", "echo out; echo err >&2; exit 3"}, 5s);
  EXPECT_TRUE(r.started);
  EXPECT_EQ(r.out, "out\n");
  EXPECT_EQ(r.err, "err\n");
  EXPECT_EQ(r.exit_code, 3);
  EXPECT_FALSE(r.ok());
}

TEST(Command, ReportsThatItDidNotStart) {
  EXPECT_FALSE(run_command({"no-such-program-here"}, 5s).started);
}

TEST(Command, ReadsMoreThanAPipeHolds) {
  EXPECT_EQ(run_command({"head", "-c", "1000000", "/dev/zero"}, 5s).out.size(), 1000000U);
}

TEST(Command, AddsAndReplacesEnvironmentVariables) {
  const CommandResult r =
      run_command({"sh", "-c", "echo $LCSM_A-$HOME"}, 5s, {"LCSM_A=1", "HOME=x"});
  EXPECT_EQ(first_line(r.out), "1-x");
}

TEST(Command, KillsAHungProgramAndItsChildren) {
  const auto start = std::chrono::steady_clock::now();
  const CommandResult r = run_command({"sh", "-c", "sleep 60 & sleep 60"}, 100ms);
  EXPECT_TRUE(r.timed_out);
  EXPECT_FALSE(r.ok());
  EXPECT_LT(std::chrono::steady_clock::now() - start, 5s);
}

TEST(Command, KillsAProgramOnceItIsToldTo) {
  for (const char* script : {"sleep 60", "exec > /dev/null 2>&1; sleep 60"}) {
    int asked = 0;
    const auto start = std::chrono::steady_clock::now();
    EXPECT_TRUE(run_command({"sh", "-c", script}, 60s, {}, [&] { return ++asked > 2; }).timed_out);
    EXPECT_LT(std::chrono::steady_clock::now() - start, 20s);
  }
  EXPECT_TRUE(run_command({"sleep", "0.3"}, 60s, {}, [] { return false; }).ok());
}

TEST(Command, WaitsForAProgramThatClosedItsStreams) {
  EXPECT_EQ(run_command({"sh", "-c", "exec >&- 2>&-; sleep 0.05; exit 4"}, 5s).exit_code, 4);
}

// ----- GPUs -----

class Nvml : public testing::Test {
 protected:
  Nvml() : library(program_folder() / "libfake_nvml.so") { unsetenv("FAKE_NVML"); }
  void SetUp() override {
    if (!fs::exists(library)) GTEST_SKIP() << "libfake_nvml.so not found next to this test";
  }
  std::string library;
};

TEST_F(Nvml, ListsEveryGpu) {
  const Gpus gpus = find_gpus(library);
  ASSERT_EQ(gpus.devices.size(), 2U);
  EXPECT_EQ(gpus.driver, "580.1");
  EXPECT_EQ(gpus.devices[1].name, "Abacus 9");
  EXPECT_EQ(gpus.devices[1].uuid, "GPU-1-3");
  EXPECT_EQ(gpus.devices[1].memory_total, 8ULL << 30);
  EXPECT_EQ(gpus.devices[1].memory_free, 6ULL << 30);
  EXPECT_EQ(gpus.reason, "");
}

TEST_F(Nvml, ExplainsWhyThereIsNone) {
  setenv("FAKE_NVML", "error", 1);
  EXPECT_EQ(find_gpus(library).reason, "the NVIDIA driver does not respond: Driver Not Loaded");
  setenv("FAKE_NVML", "none", 1);
  EXPECT_EQ(find_gpus(library).reason, "the NVIDIA driver reports no GPU");
  EXPECT_EQ(find_gpus("libno_such.so").reason, "no NVIDIA driver (libno_such.so not found)");
}

// ----- Tools: scripts in a folder that is prepended to PATH -----

class Tools : public testing::Test {
 protected:
  Tools() : path(std::getenv("PATH")) {
    std::string name = fs::temp_directory_path() / "lcsm-tools-XXXXXX";
    folder = mkdtemp(name.data());
    setenv("PATH", (folder.string() + ":" + path).c_str(), 1);
  }
  ~Tools() override {
    setenv("PATH", path.c_str(), 1);
    fs::remove_all(folder);
  }
  void script(const char* name, const char* body) {
    std::ofstream(folder / name) << "#!/bin/sh\n" << body << "\n";
    chmod((folder / name).c_str(), 0755);
  }
  std::string path;
  fs::path folder;
};

TEST_F(Tools, GnuplotThatCannotStart) {
  script("gnuplot", "echo 'gnuplot: libcaca.so.0: cannot open' >&2; exit 127");
  const Tool gnuplot = find_tool("gnuplot");
  EXPECT_TRUE(gnuplot.found);
  EXPECT_EQ(gnuplot.trouble, "gnuplot: libcaca.so.0: cannot open");
}

TEST_F(Tools, TrainProgramThatStarts) {
  script("lcsm-train", "echo 'lcsm-train 0.1.0 (abc), LibTorch 2.11.0, no CUDA'");
  const TrainProgram train = find_train_program(folder);
  EXPECT_TRUE(train.starts) << train.trouble;
  EXPECT_EQ(train.version, "lcsm-train 0.1.0 (abc), LibTorch 2.11.0, no CUDA");
}

TEST_F(Tools, TrainProgramThatIsMissingOrDoesNotStart) {
  EXPECT_EQ(find_train_program(folder).trouble, "lcsm-train not found next to lcsm");
  script("lcsm-train", "echo 'libcupti.so.13: cannot open shared object file' >&2; exit 127");
  const TrainProgram train = find_train_program(folder);
  EXPECT_FALSE(train.starts);
  EXPECT_EQ(train.trouble, "libcupti.so.13: cannot open shared object file");
}

}  // namespace
}  // namespace runner
