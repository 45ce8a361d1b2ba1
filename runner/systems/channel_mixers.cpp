// Feed-forward layers after a mixer, which act on each position separately.
#include <array>

#include "runner/systems/attention.h"
#include "runner/systems/blocks.h"

namespace runner {
namespace {

constexpr std::array kOfMlp = {
    lcsm::word("activation", "gelu relu", "gelu", "activation between the two layers"),
    lcsm::integer("size", "0", 0, "channels inside; 0: 4 d", "up.weight", 0),
};
constexpr std::array kOfGlu = {
    lcsm::word("activation", "identity silu sigmoid gelu relu", "silu", "activation of the gate"),
    lcsm::integer("size", "0", 0, "channels inside; 0: 2 d", "gate.weight", 0),
};

std::int64_t size_of(const lcsm::Block& v, std::int64_t times) {
  const std::int64_t size = v.options.integer("size");
  return size > 0 ? size : times * v.d;
}

lcsm::Parameters tensors_of_mlp(const lcsm::Block& v) {
  const std::int64_t size = size_of(v, 4);
  lcsm::BlockTensors tensors;
  tensors.put_linear("up", size, v.d);
  tensors.put_linear("down", v.d, size);
  return tensors.take();
}

lcsm::Parameters tensors_of_glu(const lcsm::Block& v) {
  const std::int64_t size = size_of(v, 2);
  lcsm::BlockTensors tensors;
  tensors.put_linear("gate", size, v.d);
  tensors.put_linear("value", size, v.d);
  tensors.put_linear("output", v.d, size);
  return tensors.take();
}

}  // namespace

const lcsm::BlockRow kMlp = {"mlp",
                             "two layers around an activation, per position",
                             lcsm::Lag::kCausalOnly,
                             kOfMlp,
                             tensors_of_mlp,
                             [](const lcsm::Block&) {}};

const lcsm::BlockRow kGlu = {"glu",
                             "a gated linear unit, per position (Shazeer 2020)",
                             lcsm::Lag::kCausalOnly,
                             kOfGlu,
                             tensors_of_glu,
                             [](const lcsm::Block&) {}};

}  // namespace runner
