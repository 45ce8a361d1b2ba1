// Reuses the training of a run with the same configuration and a smaller budget.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "runner/config/run/run_config.h"
#include "runner/train/trainer/checkpoint.h"
#include "runner/train/trainer/run_record.h"

namespace runner {

// Files a run that is done where longer ones look: `starts/` of the workspace, an index of empty
// files that may be removed at any time. starts/HASH/ID, HASH of the identity without the budget.
void offer_as_start(const std::filesystem::path& workspace, const RunConfig& config);

// If this run's first steps equal those of a finished shorter run (equal rates, evaluations and
// lines of metrics), copies its events and checkpoints, as if this run had been interrupted there,
// and returns the checkpoint to resume from. `examples`: of the training split.
std::optional<Checkpoint> start_of_shorter_run(const RunConfig& config, std::int64_t examples,
                                               const std::filesystem::path& workspace,
                                               RunRecord* record, Checkpoints* checkpoints);

}  // namespace runner
