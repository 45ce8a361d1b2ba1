// BigBird (Zaheer et al. 2020): attention to near, global and random blocks of positions.
#include <array>
#include <stdexcept>

#include "runner/systems/attention.h"
#include "runner/systems/blocks.h"

namespace runner {
namespace {

constexpr std::array kBigbirdOptions = {
    kHeads,
    kBidirectional,
    lcsm::integer("block", "64", 1, "positions per block"),
    lcsm::integer("window", "3", 1,
                  "near blocks: the block itself and as many on each side (an odd number)"),
    lcsm::integer("global", "2", 0, "first blocks, which see all and are seen by all"),
    lcsm::integer("random", "3", 0, "random blocks that each block sees"),
    kDraw,
};

lcsm::Parameters tensors_of_bigbird(const lcsm::Block& v) {
  lcsm::BlockTensors tensors;
  put_qkv(v, &tensors);
  put_output(v, &tensors);
  return tensors.take();
}

}  // namespace

const lcsm::BlockRow kBigbird = {
    "bigbird",
    "attention to near, global and random blocks (Zaheer et al. 2020)",
    lcsm::Lag::kCausalOnly,
    kBigbirdOptions,
    tensors_of_bigbird,
    [](const lcsm::Block& v) {
      check_heads(v);
      if (v.options.integer("window") % 2 == 0)
        throw std::invalid_argument("bigbird: option 'window': expected an odd number, got " +
                                    v.options.text("window"));
    }};

}  // namespace runner
