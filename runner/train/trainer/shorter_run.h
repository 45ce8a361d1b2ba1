// Reuses the training of a run with an equal configuration but a smaller budget.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "runner/config/run/run_config.h"
#include "runner/train/trainer/checkpoint.h"
#include "runner/train/trainer/run_record.h"

namespace runner {

// Adds a done run to the index where longer runs look: empty files starts/HASH/ID in the workspace,
// HASH of the identity without the budget. The index may be removed at any time.
void offer_as_start(const std::filesystem::path& workspace, const RunConfig& config);

// If a finished shorter run has equal first steps (rates, evaluations and lines of metrics), copies
// its events and checkpoints, as if this run had been interrupted there, and returns the checkpoint
// to resume from. `examples`: of the training split.
std::optional<Checkpoint> start_of_shorter_run(const RunConfig& config, std::int64_t examples,
                                               const std::filesystem::path& workspace,
                                               RunRecord* record, Checkpoints* checkpoints);

}  // namespace runner
