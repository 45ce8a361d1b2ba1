#include "tests/runner/front/verbs/lcsm_here.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>

#include "runner/base/cli/front.h"
#include "runner/front/verbs/verbs.h"

namespace runner {

int run_here(const FakeSweep& sweep, Words words) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  (void)!freopen((sweep.folder() / "out").c_str(), "w", stdout);
  (void)!freopen((sweep.folder() / "err").c_str(), "w", stderr);
  Verb program("lcsm", "");
  for (const auto add :
       {add_sweep_run, add_plan, add_status, add_why, add_sweeps, add_table, add_figure, add_report,
        add_query, add_show, add_diff, add_export, add_gc, add_merge, add_rebuild})
    add(program);
  return run_front(program, static_cast<int>(arguments.size()), arguments.data());
}

int lcsm_here(const FakeSweep& sweep, const Words& words) {
  const pid_t child = fork();
  if (child == 0) _exit(run_here(sweep, words));
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace runner
