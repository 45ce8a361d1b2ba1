// The database of a workspace as its run folders are by now.
#pragma once

#include <filesystem>
#include <memory>

#include "results/store/database.h"
#include "results/store/fold.h"

namespace runner {

// The workspace's database, with what its run folders say by now; where that cannot be written, as
// it is. What had to be left out is told on stderr.
std::unique_ptr<results::Database> current_results(const std::filesystem::path& workspace);

// Torn lines and refused runs, on stderr.
void print_left_out(const results::FoldReport& report);

}  // namespace runner
