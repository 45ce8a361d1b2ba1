// The element of a job array that this process is, and what it asks of Slurm.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace runner {

struct ElementJob {
  std::string id;    // "12_3", "12" outside arrays; empty: not started by Slurm
  std::string node;  // its name there, else this host's
};

ElementJob this_element();

// The devices that Slurm gave it, as CUDA_VISIBLE_DEVICES has them; none: it trains on the CPU.
std::vector<std::string> gpus_of_element();

// Until the time limit; none: it has none, or squeue does not answer.
std::optional<double> seconds_left(const ElementJob& job);

// "1-02:03:04", "03:04", as squeue prints the time that is left. None of "UNLIMITED", "INVALID".
std::optional<double> seconds_of_slurm(const std::string& text);

// Lets this element, alone of its array, wait for its next turn, on other nodes than these. Returns
// an error message, "" if that worked. Slurm ends this process soon after.
std::string requeue(const ElementJob& job, const std::set<std::string>& excluded);

}  // namespace runner
