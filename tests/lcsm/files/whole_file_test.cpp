#include "lcsm/files/whole_file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <fstream>

#include "tests/message_of.h"
#include "tests/results/kill_at_write.h"
#include "tests/runner/run_program.h"

namespace lcsm {
namespace {

namespace fs = std::filesystem;
using runner::read_file;
using runner::ScratchFolder;

std::size_t files_in(const fs::path& folder) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

std::string refusal_of_whole_file(const std::string& path) {
  return message_of<WriteError>([&] {
    WholeFile file(path);
    file.write("new", 3);
    file.keep();
  });
}

// A disk that is full after a number of bytes.
class Limit {
 public:
  explicit Limit(rlim_t bytes) : signal_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit now = {bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &now);
  }
  ~Limit() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, signal_);
  }

 private:
  rlimit before_{};
  void (*signal_)(int);
};

TEST(WholeFile, AppearsWhenItIsKept) {
  const ScratchFolder folder;
  const fs::path path = folder.path() / "a";
  {
    WholeFile file(path);
    file.write("one ", 4);
    file.write("", 0);
    file.write("two", 3);
    EXPECT_FALSE(fs::exists(path));
    file.keep();
  }
  EXPECT_EQ(read_file(path), "one two");
  EXPECT_EQ(files_in(folder.path()), 1U);
}

TEST(WholeFile, LeavesNothingWhenItIsNotKept) {
  const ScratchFolder folder;
  WholeFile(folder.path() / "a").write("new", 3);
  EXPECT_EQ(files_in(folder.path()), 0U);
}

TEST(WholeFile, LeavesTheOldFileWhenTheDiskIsFull) {
  const ScratchFolder folder;
  const fs::path path = folder.path() / "a";
  std::ofstream(path) << "old";
  {
    const Limit limit(2);
    EXPECT_EQ(refusal_of_whole_file(path),
              "'" + path.string() +
                  "' cannot be written: File too large; raise the limit (ulimit -f), "
                  "or write less");
  }
  EXPECT_EQ(read_file(path), "old");
  EXPECT_EQ(files_in(folder.path()), 1U);
}

TEST(WholeFile, NamesTheFolderThatIsNotThere) {
  const ScratchFolder folder;
  const std::string path = folder.path() / "none" / "a";
  EXPECT_EQ(refusal_of_whole_file(path),
            "'" + path +
                "' cannot be written: No such file or directory; create its folder "
                "first");
}

TEST(WholeFile, DoesNotReplaceFoldersAndDevices) {
  const ScratchFolder folder;
  EXPECT_NE(refusal_of_whole_file(folder.path()).find("got a folder"), std::string::npos);
  const fs::path pipe = folder.path() / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_NE(refusal_of_whole_file(pipe).find("got a device or pipe"), std::string::npos);
  EXPECT_TRUE(fs::is_fifo(pipe));
}

TEST(WholeFile, FollowsASymbolicLink) {
  const ScratchFolder folder;
  std::ofstream(folder.path() / "a") << "old";
  fs::create_symlink("a", folder.path() / "link");
  EXPECT_EQ(refusal_of_whole_file(folder.path() / "link"), "");
  EXPECT_TRUE(fs::is_symlink(folder.path() / "link"));
  EXPECT_EQ(read_file(folder.path() / "a"), "new");
}

TEST(WholeFile, ReplacesAFileInOneCall) {
  const ScratchFolder folder;
  write_whole(folder.path() / "a", "one");
  write_whole(folder.path() / "a", "two");
  EXPECT_EQ(read_file(folder.path() / "a"), "two");
  EXPECT_EQ(files_in(folder.path()), 1U);
}

TEST(WholeFile, ReportsTheErrorNumber) {
  const ScratchFolder folder;
  try {
    write_whole(folder.path() / "none" / "a", "x");
    ADD_FAILURE() << "written";
  } catch (const std::system_error& error) {
    EXPECT_EQ(error.code(), std::errc::no_such_file_or_directory);
  }
}

// Four changes: the write, its sync, the rename, the sync of the folder.
TEST(WholeFile, KilledAtAnyChangeIsTheOldOrTheNew) {
  for (int n = 1; n <= 5; ++n) {
    const ScratchFolder folder;
    const fs::path path = folder.path() / "a";
    write_whole(path, "old");
    EXPECT_EQ(results::killed_at(n, [&] { write_whole(path, "new"); }), n <= 4);
    EXPECT_EQ(read_file(path), n <= 3 ? "old" : "new") << "killed at change " << n;
    for (const auto& entry : fs::directory_iterator(folder.path()))
      EXPECT_TRUE(entry.path() == path || is_leftover(entry.path())) << entry.path();
  }
}

TEST(WholeFile, FailsWhenItsFolderCannotBeSynced) {
  const ScratchFolder folder;
  const fs::path path = folder.path() / "a";
  const auto failed = [&](int error) {
    return results::failing_at(4, error, false, [&] {
      try {
        write_whole(path, "new");
      } catch (const WriteError&) {
        return 1;
      }
      return 0;
    });
  };
  EXPECT_EQ(failed(EIO), 1);
  EXPECT_EQ(failed(EINVAL), 0) << "the file system has no such sync";
}

// A process killed while writing leaves a file that is recognized as a leftover.
TEST(WholeFile, LeftoversAreRecognised) {
  const ScratchFolder folder;
  std::ofstream(folder.path() / "a") << "old";
  WholeFile unfinished(folder.path() / "a");
  std::size_t leftovers = 0;
  for (const auto& entry : fs::directory_iterator(folder.path()))
    leftovers += is_leftover(entry.path());
  EXPECT_EQ(leftovers, 1U);
  EXPECT_FALSE(is_leftover(folder.path() / "a"));
  EXPECT_TRUE(is_leftover(".config.toml.17.tmp"));  // as earlier versions named it
  for (const char* name : {".new-3", ".old-3", ".gone-3"}) EXPECT_TRUE(is_leftover(name)) << name;
  for (const char* name : {".git", ".notes", ".nfs0001", "x.tmp"})
    EXPECT_FALSE(is_leftover(name)) << name;
}

TEST(WholeFile, CannotBeWrittenIntoAClosedFolder) {
  if (geteuid() == 0) GTEST_SKIP() << "no folder is closed to root";
  const ScratchFolder folder;
  fs::permissions(folder.path(), fs::perms::owner_read | fs::perms::owner_exec);
  EXPECT_NE(refusal_of_whole_file(folder.path() / "a").find("Permission denied"),
            std::string::npos);
  fs::permissions(folder.path(), fs::perms::owner_all);
}

}  // namespace
}  // namespace lcsm
