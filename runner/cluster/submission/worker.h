// A worker's GPUs and its node.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace runner {

// The GPUs assigned to this process, as in CUDA_VISIBLE_DEVICES; empty: it trains on the CPU.
std::vector<std::string> assigned_gpus();

// Excludes a node on which run after run failed: writes a file to the submission's folder `nodes/`,
// which all workers see. Removing the file readmits the node. `why`: the evidence.
void set_node_aside(const std::filesystem::path& submission, const std::string& node,
                    const std::string& why);

std::set<std::string> nodes_aside(const std::filesystem::path& submission);

}  // namespace runner
