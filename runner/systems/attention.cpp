#include "runner/systems/attention.h"

#include <stdexcept>

namespace runner {

void check_heads(const lcsm::Block& v) {
  const std::int64_t heads = v.options.integer("heads");
  if (v.d % heads != 0)
    throw std::invalid_argument(std::string(v.row->name) +
                                ": option 'heads': expected a divisor of the " +
                                std::to_string(v.d) + " channels, got " + std::to_string(heads));
}

void check_length(const lcsm::Block& v, std::int64_t T) {
  const std::int64_t length = v.options.integer("length");
  if (T > length)
    throw std::invalid_argument(std::string(v.row->name) +
                                ": expected at most length=" + std::to_string(length) +
                                " positions, got " + std::to_string(T) + ": set the option length");
}

void put_qkv(const lcsm::Block& v, lcsm::BlockTensors* tensors) {
  tensors->put_linear("qkv", 3 * v.d, v.d);
}

void put_output(const lcsm::Block& v, lcsm::BlockTensors* tensors) {
  tensors->put_linear("output", v.d, v.d);
}

}  // namespace runner
