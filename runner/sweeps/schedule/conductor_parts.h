// Stateless helpers of the conductor's loop.
#pragma once

#include <filesystem>
#include <vector>

#include "runner/sweeps/schedule/training_processes.h"
#include "runner/workspace/end_note.h"

namespace runner {

std::vector<Job> jobs_of(const std::vector<RunToDo>& runs);

// Makes devices without slots.
std::vector<Device> devices_of(const std::vector<std::string>& names);

// Adds the message that a run wrote as it ended.
Ended with_message(Ended ended, const std::filesystem::path& folder);

// The end of a run that is not started because it needs too much memory.
Ended too_large(const Job& job);

// The note about a run's end, after the scheduler has recorded it.
EndNote note_of(const Scheduler::Entry& entry, const Ended& ended, double now);

// The free disk space below which no run starts: enough for the `jobs` largest runs, and a reserve.
// A checkpoint is written beside the one that it replaces.
double least_disk_bytes(const std::vector<RunToDo>& runs, int jobs);

// The free bytes of the disk that holds a folder; infinite if unknown.
double free_bytes(const std::filesystem::path& folder);

// Why runs may wait with so few free bytes; empty with plenty.
std::string little_disk(double free);

}  // namespace runner
