// Splits a submission into job arrays within the cluster's limits.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace runner {

// MaxArraySize of `scontrol show config`: one more than the largest index, 0 or 1 if arrays are
// off. Throws std::runtime_error if it is missing.
std::int64_t max_array_size(std::string_view config);

// Every array counts from 0, since the limit is on the index; the sizes differ by at most 1. Throws
// std::invalid_argument if arrays are off.
std::vector<std::int64_t> array_sizes(std::int64_t elements, std::int64_t max_array_size);

}  // namespace runner
