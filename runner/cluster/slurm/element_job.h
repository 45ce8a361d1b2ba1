// The array task that this process is, and its requests to Slurm.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace runner {

struct ElementJob {
  std::string id;    // "12_3", "12" outside arrays; empty: not started by Slurm
  std::string node;  // the node's name in Slurm, otherwise this host's
};

ElementJob this_element();

// The devices that Slurm assigned, as in CUDA_VISIBLE_DEVICES; none: the array task trains on the
// CPU.
std::vector<std::string> gpus_of_element();

// Seconds until the time limit; nullopt if there is no limit or squeue does not answer.
std::optional<double> seconds_left(const ElementJob& job);

// Parses squeue's remaining time: "1-02:03:04", "03:04". nullopt for "UNLIMITED", "INVALID".
std::optional<double> seconds_of_slurm(const std::string& text);

// Requeues this array task alone, on other nodes than these. Returns an error message, "" if that
// worked. Slurm ends this process soon after.
std::string requeue(const ElementJob& job, const std::set<std::string>& excluded);

}  // namespace runner
