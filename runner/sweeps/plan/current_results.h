// The database of a workspace, up to date with its run folders.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>

#include "results/store/database.h"
#include "results/store/fold.h"

namespace runner {

// The results of a workspace as its run folders have them now. What was left out, and why
// results.db could not be updated, is reported on stderr.
std::unique_ptr<results::Database> current_results(const std::filesystem::path& workspace);

// What reads results does not wait longer for the locks of others.
inline constexpr std::chrono::seconds kReadersPatience{1};

// For folding by our rules.
results::FoldOptions fold_options(std::chrono::milliseconds patience = results::kPatience);

// Reports torn lines and refused runs on stderr.
void print_left_out(const results::FoldReport& report);

}  // namespace runner
