// What the loop of a sweep's run is put together from, and keeps no state.
#pragma once

#include <filesystem>
#include <vector>

#include "runner/schedule/conductor.h"
#include "runner/workspace/end_note.h"

namespace runner {

// The process that trains the run of `folder`, on one of the devices.
ChildProcess start_training(const SweepRunSettings& settings, const RunToDo& run,
                            const std::filesystem::path& folder, std::size_t device);

// Of a run whose end the scheduler has heard.
EndNote note_of(const Scheduler::Entry& entry, const Ended& ended, double now);

// Of the disk that a folder is on; infinite where that is not known.
double free_bytes(const std::filesystem::path& folder);

// How far all came, once nothing runs any more.
SweepRunResult result_of(const std::vector<RunToDo>& runs, const Scheduler& scheduler,
                         const Control& control);

}  // namespace runner
