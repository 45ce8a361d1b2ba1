#include "runner/base/process/child_process.h"

#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <iterator>
#include <system_error>

#include "runner/base/process/run_end.h"
#include "runner/base/process/stop_signals.h"
#include "tests/runner/run_program.h"

namespace runner {
namespace {

using results::RunState;

Ended wait_for(ChildProcess& child) {
  pollfd wait{child.handle(), POLLIN, 0};
  poll(&wait, 1, 20000);
  const auto ended = child.ended();
  return ended ? *ended : Ended{RunState::kTimeout, "still running"};
}

class ChildProcesses : public ::testing::Test {
 protected:
  Ended run(const std::string& script) {
    ChildProcess child({"/bin/sh", "-c", script}, log());
    return wait_for(child);
  }
  std::filesystem::path log() const { return folder_.path() / "log"; }
  ScratchFolder folder_;
};

bool alive(pid_t process) { return kill(process, 0) == 0; }

// Makes a system call of this process fail.
void forbid(unsigned call) {
  sock_filter code[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
                        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1),
                        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
                        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  const sock_fprog program{std::size(code), code};
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

// A killed process is reaped a little later.
bool has_exited(pid_t process) {
  return comes_true([process] { return !alive(process); });
}

}  // namespace

TEST_F(ChildProcesses, EndInTheStateOfTheirStatus) {
  for (const RunEndRow& row : kRunEnds) {
    const int status = exit_status_of(row.state);
    EXPECT_EQ(run("exit " + std::to_string(status)).state, row.state) << status;
  }
  EXPECT_EQ(run("exit 77").state, RunState::kInternal);
  EXPECT_EQ(run("exit 77").why, "exit status 77");
}

TEST_F(ChildProcesses, EndBySignalsAndForLackOfMemory) {
  EXPECT_EQ(run("kill -SEGV $$").state, RunState::kSignal);
  EXPECT_EQ(run("kill -SEGV $$").why, "signal 11 (Segmentation fault)");
  EXPECT_EQ(classify(SIGKILL, false).state, RunState::kSignal);
  EXPECT_EQ(classify(SIGKILL, true).state, RunState::kOutOfMemory);
  EXPECT_EQ(classify(SIGSEGV, true).state, RunState::kSignal);
  EXPECT_EQ(classify(kStopRequest, false).state, RunState::kInterrupted);
}

TEST_F(ChildProcesses, LogWhyTheyCannotBeStarted) {
  ChildProcess child({"/no/such/program"}, log());
  EXPECT_EQ(wait_for(child).state, RunState::kInternal);
  EXPECT_EQ(read_file(log()), "/no/such/program: No such file or directory\n");
}

TEST_F(ChildProcesses, WriteBothOutputsToTheLogAndReadNothing) {
  EXPECT_EQ(run("echo out; echo err >&2; cat").state, RunState::kDone);
  run("echo again");
  EXPECT_EQ(read_file(log()), "out\nerr\nagain\n");
}

TEST_F(ChildProcesses, TakeTheirChildrenWithThem) {
  run("sleep 1000 & echo $!");
  EXPECT_TRUE(has_exited(std::stoi(read_file(log()))));
}

TEST_F(ChildProcesses, ReceiveSignalsAsAGroup) {
  ChildProcess child({"/bin/sh", "-c", "sleep 1000 & sleep 1000"}, log());
  EXPECT_FALSE(child.ended());
  child.signal(SIGTERM);
  EXPECT_EQ(wait_for(child).state, RunState::kSignal);
}

TEST_F(ChildProcesses, AreKilledIfTheyCannotBeWatched) {
  const pid_t parent = fork();
  if (parent == 0) {
    forbid(SYS_pidfd_open);
    try {
      const ChildProcess child({"/bin/sh", "-c", "exec sleep 1000"}, log());
      _exit(1);
    } catch (const std::system_error& error) {
      if (error.code().value() != EPERM) _exit(2);
    }
    _exit(waitpid(-1, nullptr, WNOHANG) < 0 && errno == ECHILD ? 0 : 3);
  }
  int status = -1;
  waitpid(parent, &status, 0);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST_F(ChildProcesses, DieWithTheirParent) {
  const std::filesystem::path file = log();
  const pid_t parent = fork();
  if (parent == 0) {
    const ChildProcess child({"/bin/sh", "-c", "echo $$; exec sleep 1000"}, file);
    pause();
  }
  std::string text;
  ASSERT_TRUE(comes_true([&] { return (text = read_file(file)).ends_with('\n'); }));
  kill(parent, SIGKILL);
  waitpid(parent, nullptr, 0);
  EXPECT_TRUE(has_exited(std::stoi(text)));
}

}  // namespace runner
