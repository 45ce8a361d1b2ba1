// The database of a workspace, up to date with its run folders.
#pragma once

#include <filesystem>
#include <memory>

#include "results/store/database.h"
#include "results/store/fold.h"

namespace runner {

// The workspace's database, with its run folders folded in; unchanged if it cannot be written. What
// was left out is reported on stderr.
std::unique_ptr<results::Database> current_results(const std::filesystem::path& workspace);

// Reports torn lines and refused runs on stderr.
void print_left_out(const results::FoldReport& report);

}  // namespace runner
