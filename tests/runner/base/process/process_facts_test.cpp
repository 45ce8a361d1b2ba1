#include "runner/base/process/process_facts.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/runner/fake_sweep.h"

namespace runner {

TEST(ProcessFacts, DescribeThisProcess) {
  const auto facts = facts_of_process(getpid());
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->state, 'R');
  EXPECT_GT(facts->started, 0);
  EXPECT_EQ(facts_of_process(getpid())->started, facts->started);
  EXPECT_TRUE(user_at_host().ends_with("@" + host_name()));
  EXPECT_EQ(utc_now().size(), 20u);
}

TEST(ProcessFacts, ShowWhetherAProcessIsStoppedOrGone) {
  const pid_t child = fork();
  if (child == 0) {
    pause();
    _exit(0);
  }
  kill(child, SIGSTOP);
  EXPECT_TRUE(comes_true([&] { return facts_of_process(child)->state == 'T'; }));
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_FALSE(facts_of_process(child));
}

// A process may end after its file was opened and before it is read.
TEST(ProcessFacts, AProcessMayEndMeanwhile) {
  const auto before = signal(SIGCHLD, SIG_IGN);  // the system reaps
  for (int i = 0; i < 500; ++i) {
    const pid_t child = fork();
    if (child == 0) _exit(0);
    while (facts_of_process(child)) {
    }
  }
  signal(SIGCHLD, before);
}

}  // namespace runner
