// Parses a command line into the variables of the options.
#pragma once

#include <string>
#include <vector>

#include "runner/base/cli/verb.h"

namespace runner {

struct Parsed {
  enum class What { kRun, kHelp, kVersion, kRefused };
  What what = What::kRun;
  const Verb* verb = nullptr;  // the innermost verb named
  std::string mistake = {};    // "lcsm: unknown verb 'cdoes'; did you mean 'codes'?"
};

// `words`: the words after the program's name.
Parsed parse(const Verb& program, const std::vector<std::string>& words);

}  // namespace runner
