#include "runner/systems/attention.h"

#include <stdexcept>

namespace runner {

void check_heads(std::string_view block, std::int64_t d, std::int64_t heads) {
  if (d % heads != 0)
    throw std::invalid_argument(std::string(block) +
                                ": option 'heads': expected a divisor of the " + std::to_string(d) +
                                " channels, got " + std::to_string(heads));
}

void check_length(std::string_view block, std::int64_t length, std::int64_t steps) {
  if (steps > length)
    throw std::invalid_argument(
        std::string(block) + ": expected at most length=" + std::to_string(length) +
        " positions, got " + std::to_string(steps) + ": set the option length");
}

void put_qkv(std::int64_t d, lcsm::BlockTensors* tensors) { tensors->put_linear("qkv", 3 * d, d); }

void put_output(std::int64_t d, lcsm::BlockTensors* tensors) {
  tensors->put_linear("output", d, d);
}

}  // namespace runner
