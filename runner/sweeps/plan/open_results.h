// Opens the database of a workspace and folds new events of its run folders into it.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>

#include "results/store/database.h"
#include "results/store/fold.h"

namespace runner {

// Opens the results of a workspace, up to date with its run folders. Reports on stderr which events
// were left out, and why results.db could not be updated.
std::unique_ptr<results::Database> open_results(const std::filesystem::path& workspace);

// How long readers of results wait for other processes' locks.
inline constexpr std::chrono::seconds kReadersPatience{1};

// Options for folding run folders: id_of_identity recomputes ids, and `patience` limits the wait
// for locks.
results::FoldOptions fold_options(std::chrono::milliseconds patience = results::kPatience);

// Reports torn lines and refused runs on stderr.
void print_left_out(const results::FoldReport& report);

}  // namespace runner
