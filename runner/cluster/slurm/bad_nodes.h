// Sets aside nodes on which run after run of a submission failed. Each is a file in the
// submission's folder `nodes/`, which all array tasks see; remove the file to give the node another
// chance.
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
