// Runs a program: parses its command line, calls the verb, turns every error into an exit status.
#pragma once

#include <string>

#include "runner/base/cli/verb.h"

namespace runner {

// The entry point of both programs. A verb prints its data on stdout and ends early by throwing
// Failure; std::invalid_argument counts as wrong usage.
int run_front(const Verb& program, int argc, char** argv);

// "Exit codes:" and one line per code, for the program's help footer.
std::string exit_code_list();

}  // namespace runner
