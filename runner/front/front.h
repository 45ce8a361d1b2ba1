// The program `lcsm` around its verbs: parses, runs, catches everything, ends with an ExitCode.
#pragma once

#include <CLI/CLI.hpp>

namespace runner {

// `add_verbs` adds each verb as a subcommand whose callback does the work, prints data on stdout
// and ends early by throwing Failure (std::invalid_argument counts as wrong usage).
int run_front(int argc, char** argv, void (*add_verbs)(CLI::App&));

}  // namespace runner
