// Functions without state that the loop of a sweep's run is built of.
#pragma once

#include <filesystem>
#include <vector>

#include "runner/sweeps/schedule/engine.h"
#include "runner/workspace/end_note.h"

namespace runner {

std::vector<Job> jobs_of(const std::vector<RunToDo>& runs);

// Without slots.
std::vector<Device> devices_of(const std::vector<std::string>& names);

// With the message that a run has written as it ended; an exit status alone says less.
Ended with_message(Ended ended, const std::filesystem::path& folder);

// Why a run that needs too much memory does not start.
Ended too_large(const Job& job);

// How a run ended, once the scheduler knows of it.
EndNote note_of(const Scheduler::Entry& entry, const Ended& ended, double now);

// Runs start only with so much free disk: room for what `jobs` of them write, the largest at that,
// and some more. A checkpoint is written beside the one that it replaces.
double least_disk_bytes(const std::vector<RunToDo>& runs, int jobs);

// Of the disk that holds a folder; infinite where that is unknown.
double free_bytes(const std::filesystem::path& folder);

}  // namespace runner
