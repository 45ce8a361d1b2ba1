#include "runner/front/verbs/doctor.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <sstream>

#include "runner/base/process/command.h"

namespace runner {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;
using results::Reach;

// ----- Verdicts -----

TEST(Checks, FileSystemWarnsOfNetworkAndMemory) {
  EXPECT_EQ(file_system_check({"ext4", Reach::kLocal}).state, State::kOk);
  EXPECT_EQ(file_system_check({"tmpfs", Reach::kMemory}).state, State::kWarn);
  EXPECT_EQ(file_system_check({"nfs4", Reach::kNetwork}).value, "nfs4, a network file system");
  EXPECT_EQ(file_system_check({"0x1", Reach::kUnknown}).state, State::kWarn);
}

TEST(Checks, ABrokenProofRefusesTheFolder) {
  const Check locks = locks_check({false, "two processes held the write lock at the same time"});
  EXPECT_EQ(locks.state, State::kFail);
  EXPECT_EQ(locks.advice.find("SQLite's locks do not work here"), 0U);
  EXPECT_EQ(rename_check({false, "fsync of the folder fails"}).state, State::kFail);
  const Check full = locks_check({false, "No space left on device", false});
  EXPECT_EQ(full.state, State::kFail);
  EXPECT_EQ(full.advice.find("Nothing can be written here."), 0U);
}

TEST(Checks, DiskNeedsRoom) {
  const std::uint64_t gib = std::uint64_t{1} << 30;
  EXPECT_EQ(disk_check({"ext4", Reach::kLocal, 50 * gib, 90 * gib}).state, State::kOk);
  EXPECT_EQ(disk_check({"ext4", Reach::kLocal, 5 * gib, 90 * gib}).state, State::kWarn);
  EXPECT_EQ(disk_check({"ext4", Reach::kLocal, gib / 8, 90 * gib}).state, State::kFail);
}

TEST(Checks, SqliteShowsTheJournalModeAndWhy) {
  EXPECT_EQ(sqlite_check({3051003, "3.51.3", "3.51.3"}, Reach::kLocal).value,
            "3.51.3, journal mode wal");
  EXPECT_EQ(sqlite_check({3040001, "3.40.1", "3.40.1"}, Reach::kLocal).data["journal_mode"],
            "delete");
  EXPECT_EQ(sqlite_check({3036000, "3.36.0", "3.40.1"}, Reach::kLocal).state, State::kFail);
}

TEST(Checks, CoresShowWhatLimitsThem) {
  EXPECT_EQ(cores_check({.cores_online = 8, .cores_affinity = 8}).value, "8");
  EXPECT_EQ(cores_check({.cores_online = 8, .cores_affinity = 2}).value, "2 of 8 (affinity mask)");
  EXPECT_EQ(cores_check({.cores_online = 8, .cores_affinity = 8, .cores_quota = 1.5}).value,
            "2 of 8 (quota of 1.5)");
}

TEST(Checks, WarnsOfAGpuWithoutCuda) {
  Gpus gpus{{{"Abacus 9", "GPU-1", 8ULL << 30, 6ULL << 30}}, "580.1", ""};
  TrainProgram train;
  train.version = "lcsm-train 0.1.0 (abc), LibTorch 2.11.0, CUDA 90";
  EXPECT_EQ(gpu_check(gpus, train).value, "Abacus 9, 6 of 8 GiB free, driver 580.1");
  EXPECT_EQ(gpu_check(gpus, train).state, State::kOk);
  train.version = "lcsm-train 0.1.0 (abc), LibTorch 2.11.0, no CUDA";
  EXPECT_EQ(gpu_check(gpus, train).state, State::kWarn);
}

TEST(Checks, ATrainProgramThatDoesNotStartFailsAndNamesTheLibrary) {
  TrainProgram train;
  train.trouble = "error while loading shared libraries";
  train.libraries = {"libtorch_cpu.so => /x/libtorch_cpu.so", "libcupti.so.13 => not found"};
  const Check check = train_check(train);
  EXPECT_EQ(check.state, State::kFail);
  EXPECT_NE(check.advice.find("libcupti.so.13 => not found"), std::string::npos);
}

TEST(Checks, DoesNotCreateAMissingWorkspace) {
  const fs::path folder = fs::temp_directory_path() / "lcsm-no-such-workspace" / "deep";
  EXPECT_NE(worst_of(check_workspace(folder)), State::kFail);
  EXPECT_FALSE(fs::exists(folder.parent_path()));
}

TEST(Checks, AWorkspaceThatIsAFileFails) {
  EXPECT_EQ(worst_of(check_workspace("/proc/self/status")), State::kFail);
}

// ----- Text and JSON -----

TEST(Doctor, TextFitsEightyColumnsAndIsPlain) {
  const std::vector<Check> checks = {{"locks",
                                      State::kFail,
                                      std::string(200, 'x') + " end",
                                      "do this, " + std::string(90, 'y'),
                                      {}},
                                     {"cores", State::kOk, "2", "", {}}};
  std::istringstream lines(doctor_text(checks, {}));
  std::string line, all;
  while (std::getline(lines, line)) {
    EXPECT_LE(line.size(), 80U) << line;
    all += line;
  }
  EXPECT_EQ(all.find('\033'), std::string::npos);
  EXPECT_NE(doctor_text(checks, {.colour = true}).find("\033[31mfail"), std::string::npos);
  EXPECT_EQ(doctor_text({{"cores", State::kOk, "2", "", {}}}, {}), "ok    cores       2\n");
}

// ----- The program -----

class DoctorVerb : public testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists(program)) GTEST_SKIP() << "lcsm was not built";
  }
  fs::path program = program_folder() / "lcsm";
};

TEST_F(DoctorVerb, PrintsJsonAndItsExitCodeAgrees) {
  const CommandResult r =
      run_command({program, "doctor", "--json", "--workspace", fs::temp_directory_path()}, 30s);
  const auto json = nlohmann::json::parse(r.out);
  EXPECT_EQ(json["schema"], "lcsm.doctor/1");
  EXPECT_EQ(r.exit_code, json["state"] == "fail" ? 1 : 0);
  for (const char* name : {"workspace", "locks", "rename", "sqlite", "cores", "gpus", "slurm"})
    EXPECT_NE(r.out.find("\"name\": \"" + std::string(name) + "\""), std::string::npos) << name;
}

TEST_F(DoctorVerb, FailsWhereNothingCanBeWritten) {
  const CommandResult r = run_command({program, "doctor", "--workspace", "/proc/self"}, 30s);
  EXPECT_EQ(r.exit_code, 1);
  EXPECT_NE(r.out.find("fail  locks"), std::string::npos) << r.out;
}

TEST_F(DoctorVerb, OfAProgramThatLinksNoTorch) {
  const CommandResult r = run_command({program}, 5s, {"LD_TRACE_LOADED_OBJECTS=1"});
  EXPECT_NE(r.out.find("libc.so"), std::string::npos);
  EXPECT_EQ(r.out.find("libtorch"), std::string::npos) << r.out;
  EXPECT_EQ(r.out.find("libc10"), std::string::npos) << r.out;
}

}  // namespace
}  // namespace runner
