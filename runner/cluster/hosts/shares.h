// How runs are shared out among hosts that have no file system in common.
#pragma once

#include <cstddef>
#include <vector>

namespace runner {

// For each run the host that trains it: the longest first, each to the host that would be done with
// it first. `seconds` of the runs; `at_once`: runs that each host trains at a time, at least one
// host.
std::vector<std::size_t> share_out(const std::vector<double>& seconds,
                                   const std::vector<double>& at_once);

}  // namespace runner
