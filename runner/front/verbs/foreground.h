// Lets `lcsm run` leave its terminal while it runs. A shell waits for the process that it started,
// so this process only waits, and its child does the work.
#pragma once

#include <filesystem>
#include <functional>

namespace runner {

// Returns in a child, which has the terminal. The parent forwards signals to the child, stops and
// continues with it, and ends as the child does, or once the child is in the background. If the
// parent is killed, the child dies, too. Throws Failure.
void work_in_child();

// In the child: begins a new session without the terminal, sends the output to the workspace's log,
// and lets the parent end. Calls `close_screen` just before. Throws Failure if the log cannot be
// written.
void go_to_background(const std::filesystem::path& workspace,
                      const std::function<void()>& close_screen);

}  // namespace runner
