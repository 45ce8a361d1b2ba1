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
    ets::integer("block", "64", 1, "positions per block"),
    ets::integer("window", "3", 1,
                 "near blocks: the block itself and as many on each side (an odd number)"),
    ets::integer("global", "2", 0, "first blocks, which see all and are seen by all"),
    ets::integer("random", "3", 0, "random blocks that each block sees"),
    kDraw,
};

ets::Parameters tensors_of_bigbird(const ets::Variant& v) {
  ets::TensorList tensors;
  put_qkv(v, &tensors);
  put_output(v, &tensors);
  return tensors.take();
}

}  // namespace

const ets::FamilyRow kBigbird = {
    "bigbird",
    "attention to near, global and random blocks (Zaheer et al. 2020)",
    ets::Lag::kCausalOnly,
    kBigbirdOptions,
    tensors_of_bigbird,
    [](const ets::Variant& v) {
      check_heads(v);
      if (v.options.integer("window") % 2 == 0)
        throw std::invalid_argument("bigbird: option 'window': expected an odd number, got " +
                                    v.options.text("window"));
    }};

}  // namespace runner
