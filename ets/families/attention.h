// Shared by families with one-head attention within chunks: options, and the tensors of the bias
// that the distance of two steps adds to their score.
#pragma once

#include "ets/families/family_types.h"
#include "lcsm/block/block.h"
#include "lcsm/block/block_tensors.h"

namespace ets {

struct ChunkOptions {
  bool causal = true;
  lcsm::Word<"simple rotary none"> bias = "simple";
  std::int64_t positions = 1024, chunk = 0;

  void describe_causal(auto& option) {
    option("causal", causal, "attend to no later step; the filter has its own option");
  }
  void describe_chunks(auto& option) {
    option("bias", bias,
           "what the distance adds to scores: a number per distance, or a product of rotated "
           "vectors");
    option("positions", positions, "the longest sequence with bias=simple and without chunks",
           {.least = 1});
    option("chunk", chunk, "attention within chunks of this many steps; 0: over all steps");
  }

  // Adds distance [2 P - 1], P the chunk or the positions; or rotary_query and rotary_key [z].
  void put_bias(std::int64_t z, lcsm::BlockTensors* tensors) const;

  // Throws std::invalid_argument for an odd width z with bias=rotary; `option` is the option that
  // sets z.
  void check_turned(std::string_view block, std::string_view option, std::int64_t z) const;

  lcsm::Mixing pairs(double keys, double values, double steps) const;
};

}  // namespace ets
