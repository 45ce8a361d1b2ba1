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

// The message of a run that ended by itself says more than its exit status.
Ended with_its_message(Ended ended, const std::filesystem::path& folder);

// Why a run that needs too much memory does not start.
Ended too_large(const Job& job);

// Of a run whose end the scheduler has heard.
EndNote note_of(const Scheduler::Entry& entry, const Ended& ended, double now);

// Of the disk that a folder is on; infinite where that is not known.
double free_bytes(const std::filesystem::path& folder);

}  // namespace runner
