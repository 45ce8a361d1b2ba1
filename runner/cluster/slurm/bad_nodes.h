// Nodes on which run after run of a submission failed: a file for each in its folder `nodes/`,
// which all elements see. To give a node another chance, remove its file.
#pragma once

#include <filesystem>
#include <set>
#include <string>

namespace runner {

// `why`: the evidence.
void set_node_aside(const std::filesystem::path& submission, const std::string& node,
                    const std::string& why);

std::set<std::string> nodes_aside(const std::filesystem::path& submission);

}  // namespace runner
