// Distributes runs among hosts that have no file system in common.
#pragma once

#include <cstddef>
#include <vector>

namespace runner {

// Returns the host of each run: the longest run first, each to the host that would finish it first.
// `seconds`: estimated time per run; `at_once`: runs that each host trains at a time, at least one
// host.
std::vector<std::size_t> share_out(const std::vector<double>& seconds,
                                   const std::vector<double>& at_once);

}  // namespace runner
