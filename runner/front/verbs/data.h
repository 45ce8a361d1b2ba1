// Verbs below `lcsm data` that have their own files.
#pragma once

#include <filesystem>
#include <string>

#include "runner/base/cli/verb.h"

namespace runner {

inline constexpr int kMostExamples = 100'000'000;

void add_data_make(Verb& data);
// Runs a command `lcsm data make ...` in this process, with nothing on stdout. Throws what the
// command throws.
void make_data(const std::string& command, const std::filesystem::path& workspace);

void add_data_get(Verb& data);

}  // namespace runner
