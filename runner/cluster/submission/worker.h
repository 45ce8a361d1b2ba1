// The surroundings of a worker of a submission.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace runner {

// The GPUs that this process was given, as in CUDA_VISIBLE_DEVICES; none: it trains on the CPU.
std::vector<std::string> assigned_gpus();

// Sets aside a node on which run after run of the submission failed: a file in its folder `nodes/`,
// which all workers see; remove the file to give the node another chance. `why`: the evidence.
void set_node_aside(const std::filesystem::path& submission, const std::string& node,
                    const std::string& why);

std::set<std::string> nodes_aside(const std::filesystem::path& submission);

}  // namespace runner
