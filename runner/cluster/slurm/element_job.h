// The requests of an array task to Slurm.
#pragma once

#include <optional>
#include <set>
#include <string>

namespace runner {

// The processors of the job on this node. Not every cluster keeps a job from using others.
std::optional<int> cores_of_job();

// Seconds until the time limit of "12_3"; nullopt if there is no limit or squeue does not answer.
std::optional<double> seconds_left_of(const std::string& job);

// Parses squeue's remaining time: "1-02:03:04", "03:04". nullopt for "UNLIMITED", "INVALID".
std::optional<double> seconds_of_slurm(const std::string& text);

// Requeues this array task alone, on other nodes than these. Returns an error message, "" if that
// worked. Slurm ends this process soon after.
std::string requeue_element(const std::string& job, const std::set<std::string>& nodes);

}  // namespace runner
