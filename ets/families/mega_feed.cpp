// The feed-forward network of MEGA.
#include <array>

#include "ets/families/family.h"
#include "lcsm/block/block_tensors.h"

namespace ets {
namespace {

constexpr std::array kMegaFeedOptions = {
    lcsm::integer("hidden", "0", 0, "channels between the two layers; 0: twice the input",
                  "up.weight", 0),
};

lcsm::Parameters tensors_of_mega_feed(const lcsm::Block& v) {
  const std::int64_t asked = v.options.integer("hidden"), hidden = asked == 0 ? 2 * v.d : asked;
  lcsm::BlockTensors tensors;
  tensors.put_small_linear("up", hidden, v.d);
  tensors.put_small_linear("down", v.d, hidden);
  return tensors.take();
}

}  // namespace

const lcsm::BlockRow kMegaFeed = {"mega-feed",
                                  "the feed-forward network of MEGA",
                                  lcsm::Lag::kCausalOnly,
                                  kMegaFeedOptions,
                                  tensors_of_mega_feed,
                                  nullptr};

}  // namespace ets
