#include "lcsm/files/confined.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>

#include "lcsm/files/open_file.h"
#include "lcsm/files/read_file.h"
#include "lcsm/files/whole_file.h"
#include "tests/message_of.h"
#include "tests/runner/run_program.h"

namespace lcsm {
namespace {

namespace fs = std::filesystem;

// A confined folder `w`, and beside it a file and a folder that nothing in `w` may reach.
class Confined : public testing::Test {
 protected:
  Confined() {
    fs::create_directories(outside());
    fs::create_directories(w() / "runs/a");
    std::ofstream(secret()) << "secret";
    confine(w(), "data");
  }
  fs::path w() const { return scratch_.path() / "w"; }
  fs::path outside() const { return scratch_.path() / "outside"; }
  fs::path secret() const { return outside() / "secret"; }
  static int error_of(const fs::path& path, int flags = O_RDONLY) {
    errno = 0;
    return OpenFile(path, flags).is_open() ? 0 : errno;
  }
  void expect_untouched() const {
    EXPECT_EQ(lcsm::read_file(secret()), "secret");
    EXPECT_EQ(std::distance(fs::directory_iterator(outside()), {}), 1);
  }

  runner::ScratchFolder scratch_;
};

// Simulates a kernel without openat2, permanently for this process and its children.
void refuse_openat2() {
  sock_filter rows[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat2, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog filter{std::size(rows), rows};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) _exit(77);
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0) _exit(77);
}

}  // namespace

TEST_F(Confined, OpensFilesAndFoldersOfItsOwn) {
  EXPECT_EQ(error_of(w()), 0);
  EXPECT_EQ(error_of(w() / "runs/a", O_RDONLY | O_DIRECTORY), 0);
  EXPECT_EQ(error_of(w() / "runs/./b/../a/new", O_WRONLY | O_CREAT), 0);
  EXPECT_TRUE(fs::exists(w() / "runs/a/new"));
  EXPECT_EQ(error_of(w() / "runs/b/new"), ENOENT);
}

TEST_F(Confined, FollowsNoLinkHoweverItIsOpened) {
  fs::create_symlink(secret(), w() / "runs/a/file");
  fs::create_directory_symlink(outside(), w() / "runs/b");
  fs::create_symlink("a", w() / "runs/near");
  fs::create_symlink("loop", w() / "runs/loop");
  for (const char* name : {"runs/a/file", "runs/b", "runs/b/secret", "runs/near/x", "runs/loop"})
    for (const int flags : {O_RDONLY, O_RDWR, O_RDWR | O_CREAT, O_WRONLY | O_CREAT | O_TRUNC})
      EXPECT_EQ(error_of(w() / name, flags), ELOOP) << name << " " << flags;
  EXPECT_EQ(error_of(w() / "runs/b/new", O_WRONLY | O_CREAT), ELOOP);
  expect_untouched();
}

TEST_F(Confined, SaysWhichLink) {
  fs::create_directory_symlink(outside(), w() / "runs/b");
  EXPECT_EQ(link_on_the_way(w() / "runs/b/secret"), w() / "runs/b");
  EXPECT_EQ(link_on_the_way(w() / "runs/a/secret"), fs::path());
  EXPECT_EQ(link_on_the_way(outside() / "secret"), fs::path());
  EXPECT_EQ(message_of<WriteError>([&] { write_whole(w() / "runs/b/new", "x"); }),
            "'" + (w() / "runs/b/new").string() + "' cannot be written: '" +
                (w() / "runs/b").string() +
                "' is a symbolic link, which is not followed; remove the link");
}

TEST_F(Confined, OnlyFilesAndFoldersAreOpened) {
  ASSERT_EQ(mkfifo((w() / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(error_of(w() / "pipe"), ENXIO);
}

// Data sets may lie on another disk.
TEST_F(Confined, MayBeALinkItselfAndHaveOneEntryWithLinks) {
  fs::create_directory_symlink(w(), scratch_.path() / "link");
  fs::create_directory_symlink(outside(), w() / "data");
  fs::create_symlink(secret(), outside() / "near");
  confine(scratch_.path() / "link", "data");
  EXPECT_EQ(error_of(scratch_.path() / "link/runs/a"), 0);
  for (const char* name : {"w/data/secret", "w/data/near", "link/data/near"})
    EXPECT_EQ(error_of(scratch_.path() / name), 0) << name;
  fs::create_symlink(secret(), w() / "data-2");
  EXPECT_EQ(error_of(w() / "data-2"), ELOOP);
}

TEST_F(Confined, WholeFilesAndFoldersStayInside) {
  fs::create_symlink(secret(), w() / "file");
  fs::create_symlink(outside() / "new", w() / "dangling");
  fs::create_directory_symlink(outside(), w() / "folder");
  for (const char* name : {"file", "dangling", "folder/secret", "folder/new"})
    EXPECT_THROW(write_whole(w() / name, "x"), WriteError) << name;
  EXPECT_THROW(create_folder(w() / "folder/new"), WriteError);
  EXPECT_THROW(create_folder(w() / "dangling"), WriteError);
  expect_untouched();
}

TEST_F(Confined, ByHandItIsTheSame) {
  fs::create_symlink(secret(), w() / "runs/a/file");
  fs::create_directory_symlink(outside(), w() / "runs/b");
  const pid_t child = fork();
  if (child == 0) {
    refuse_openat2();
    const bool good = error_of(w()) == 0 && error_of(w() / "runs/a") == 0 &&
                      error_of(w() / "runs/a/new", O_WRONLY | O_CREAT) == 0 &&
                      error_of(w() / "runs/a/none") == ENOENT &&
                      error_of(w() / "runs/a/file", O_RDWR | O_CREAT | O_TRUNC) == ELOOP &&
                      error_of(w() / "runs/b", O_RDONLY | O_DIRECTORY) == ELOOP &&
                      error_of(w() / "runs/b/secret") == ELOOP &&
                      error_of(w() / "runs/b/x", O_WRONLY | O_CREAT) == ELOOP;
    _exit(good ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  if (WEXITSTATUS(status) == 77) GTEST_SKIP() << "no system call can be refused here";
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(fs::exists(w() / "runs/a/new"));
  expect_untouched();
}

}  // namespace lcsm
