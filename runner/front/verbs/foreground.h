// Lets `lcsm run` leave its terminal while it runs: a shell waits for the process that it started,
// so that process only waits, and its child does the work.
#pragma once

#include <filesystem>
#include <functional>

namespace runner {

// The caller goes on in a child, which has the terminal. This process passes signals on to it,
// stops and continues with it, and ends as it does, or once it has gone to the background. Killed,
// it takes the child along. Throws Failure.
void work_in_child();

// In that child: leaves the terminal for a session of its own, with its output in the workspace's
// log, and lets the parent end. `close_screen` is called just before. Throws Failure if the log
// cannot be written.
void go_to_background(const std::filesystem::path& workspace,
                      const std::function<void()>& close_screen);

}  // namespace runner
