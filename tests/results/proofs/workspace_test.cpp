#include "results/proofs/workspace.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <system_error>

namespace results {
namespace {

namespace fs = std::filesystem;

class Workspace : public testing::Test {
 protected:
  Workspace() {
    std::string name = fs::temp_directory_path() / "lcsm-workspace-XXXXXX";
    folder = mkdtemp(name.data());
  }
  ~Workspace() override { fs::remove_all(folder); }

  int files() const {
    return static_cast<int>(
        std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
  }
  fs::path folder;
};

// ----- File systems -----

TEST(FileSystemKind, KnowsLocalSharedAndMemory) {
  EXPECT_EQ(file_system_kind(0xEF53, "ext4").reach, Reach::kLocal);
  EXPECT_EQ(file_system_kind(0x2FC12FC1, "zfs").name, "zfs");
  EXPECT_EQ(file_system_kind(0x01021994, "tmpfs").reach, Reach::kMemory);
  for (const std::uint64_t shared : {0x6969U, 0xFF534D42U, 0x0BD00BD0U, 0x47504653U, 0x19830326U})
    EXPECT_EQ(file_system_kind(shared, "").reach, Reach::kNetwork) << std::hex << shared;
}

TEST(FileSystemKind, DistinguishesFuseByTheMount) {
  EXPECT_EQ(file_system_kind(0x65735546, "fuse.sshfs").reach, Reach::kNetwork);
  EXPECT_EQ(file_system_kind(0x65735546, "fuseblk").reach, Reach::kLocal);
  EXPECT_EQ(file_system_kind(0x65735546, "").name, "fuse");
}

TEST(FileSystemKind, NamesAnUnknownOneByItsNumber) {
  EXPECT_EQ(file_system_kind(0x12345678, "").name, "0x12345678");
  EXPECT_EQ(file_system_kind(0x12345678, "newfs").name, "newfs");
  EXPECT_EQ(file_system_kind(0x12345678, "newfs").reach, Reach::kUnknown);
}

TEST_F(Workspace, FileSystemHasRoom) {
  const FileSystem kind = file_system_of(folder);
  EXPECT_FALSE(kind.name.empty());
  EXPECT_GT(kind.bytes_free, 0U);
  EXPECT_GE(kind.bytes_total, kind.bytes_free);
  EXPECT_THROW(file_system_of(folder / "nothing"), std::system_error);
}

TEST_F(Workspace, NearestExistingClimbs) {
  EXPECT_EQ(nearest_existing(folder / "a" / "b"), folder);
  EXPECT_EQ(nearest_existing(folder), folder);
  EXPECT_EQ(nearest_existing("/no/such/place"), "/");
  EXPECT_EQ(nearest_existing(folder / "a" / ".." / "b"), folder);
}

// ----- SQLite -----

TEST(JournalMode, IsWalOnlyOnOneHostWithoutTheResetBug) {
  EXPECT_EQ(journal_mode_for(Reach::kLocal, 3051003), "wal");
  EXPECT_EQ(journal_mode_for(Reach::kLocal, 3051002), "delete");
  EXPECT_EQ(journal_mode_for(Reach::kNetwork, 3051003), "delete");
  EXPECT_EQ(journal_mode_for(Reach::kUnknown, 3051003), "delete");
}

// ----- Proofs -----

TEST_F(Workspace, ProofsHoldOnALocalDiskAndLeaveNothing) {
  const Proof locks = prove_locks(folder), rename = prove_rename(folder);
  EXPECT_TRUE(locks.holds) << locks.what;
  EXPECT_TRUE(rename.holds) << rename.what;
  EXPECT_EQ(files(), 0);
}

TEST_F(Workspace, BrokenLocksAreDetected) {
  const Proof locks = prove_locks(folder, "unix-none");
  EXPECT_FALSE(locks.holds);
  EXPECT_EQ(locks.what, "two processes held the write lock at the same time");
  EXPECT_EQ(files(), 0);
}

TEST_F(Workspace, ProofsFailWithAReasonIfNothingCanBeWritten) {
  const Proof locks = prove_locks(folder / "nothing"), rename = prove_rename("/proc");
  EXPECT_FALSE(locks.holds);
  EXPECT_EQ(locks.what, "a file cannot be created: No such file or directory");
  EXPECT_FALSE(locks.tried);
  EXPECT_FALSE(rename.holds);
  EXPECT_NE(rename.what.find("a file cannot be created"), std::string::npos) << rename.what;
}

// Leftovers of proofs that were killed at any moment are removed a minute later.
TEST_F(Workspace, FilesOfAKilledProofAreRemoved) {
  for (int microseconds = 0; microseconds < 20000; microseconds += 1000) {
    const pid_t child = fork();
    if (child == 0) {
      for (;;) prove_locks(folder), prove_rename(folder);
    }
    usleep(static_cast<useconds_t>(microseconds));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
  }
  for (const fs::directory_entry& left : fs::directory_iterator(folder))
    fs::last_write_time(left, fs::file_time_type::clock::now() - std::chrono::minutes(2));
  sweep_proofs(folder);
  EXPECT_EQ(files(), 0);
}

TEST_F(Workspace, RecentFilesAndThoseOfOthersAreKept) {
  const std::string alive = ".lcsm-doctor." + std::to_string(getpid()) + ".a";
  for (const std::string& name : {alive, std::string(".lcsm-doctor.4194304.young"),
                                  std::string(".lcsm-doctor.notes"), std::string("results.db")})
    std::ofstream(folder / name) << "x";
  for (const char* old : {".lcsm-doctor.notes", "results.db"})
    fs::last_write_time(folder / old, fs::file_time_type::clock::now() - std::chrono::hours(1));
  EXPECT_EQ(sweep_proofs(folder), 0);
  EXPECT_EQ(files(), 4);
}

}  // namespace
}  // namespace results
