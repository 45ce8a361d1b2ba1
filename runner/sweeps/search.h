// Sweeps by name: files beside the user, then those that are built in.
#pragma once

#include <string>
#include <vector>

#include "runner/sweeps/file.h"

namespace runner {

// `name`: a file (it ends in .toml, or holds a slash), else NAME.toml in ./sweeps, else a built-in
// sweep. `from`: the file that asks, a relative file name is beside it; its neighbours come first.
// std::runtime_error when there is none, with what was meant.
SweepText find_sweep(const std::string& name, const std::string& from = "");

struct KnownSweep {
  SweepText text;
  bool built_in = false;
};

bool is_known_sweep(const std::string& name);

// All of ./sweeps, then the built-in ones that no file there hides; by name.
std::vector<KnownSweep> known_sweeps();

// find_sweep and read_sweep; what was found elsewhere and left out is told on stderr.
SweepFile load_sweep(const std::string& name);

}  // namespace runner
