// Finds sweeps by name: files in the current folder, then the built-in ones.
#pragma once

#include <string>
#include <vector>

#include "runner/sweeps/language/file.h"

namespace runner {

// `name`: a file (if it ends in .toml or contains a slash), else NAME.toml in ./sweeps, else a
// built-in sweep. `from`: the file that extends it; its folder is searched first, and relative
// paths start there. Throws std::runtime_error, with a suggestion, if there is none.
SweepText find_sweep(const std::string& name, const std::string& from = "");

bool is_known_sweep(const std::string& name);

// The files in ./sweeps and the built-in sweeps that none of them hides, sorted by name.
std::vector<SweepText> known_sweeps();

// find_sweep and read_sweep; warns on stderr about oscillation files that are ignored.
SweepFile load_sweep(const std::string& name);

}  // namespace runner
