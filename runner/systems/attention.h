// Options and tensors shared by attention-like blocks.
#pragma once

#include "lcsm/block/block.h"
#include "lcsm/block/block_tensors.h"

namespace runner {

struct AttentionOptions {
  std::int64_t heads = 4;
  bool bidirectional = false;

  void describe_heads(auto& option) {
    option("heads", heads, "heads of d / heads channels", {.least = 1});
  }
  void describe_direction(auto& option) {
    option("bidirectional", bidirectional, "every position sees all others, not only earlier ones");
  }
  void describe(auto& option) {
    describe_heads(option);
    describe_direction(option);
  }
};

// An option of blocks with fixed random numbers.
struct DrawOption {
  std::int64_t draw = 0;

  void describe(auto& option) { option("draw", draw, "seed of the fixed random draws"); }
};

// Throws std::invalid_argument unless the heads divide d.
void check_heads(std::string_view block, std::int64_t d, std::int64_t heads);

// Throws std::invalid_argument for more positions than there are weights for.
void check_length(std::string_view block, std::int64_t length, std::int64_t steps);

// Adds "qkv" [3 d, d], whose rows are queries, keys and values, each head by head, and "output" [d,
// d].
void put_qkv(std::int64_t d, lcsm::BlockTensors* tensors);
void put_output(std::int64_t d, lcsm::BlockTensors* tensors);

// The given size, or the size by the authors' rule if `given` is 0.
constexpr std::int64_t size_or(std::int64_t given, std::int64_t rule) {
  return given > 0 ? given : rule;
}

}  // namespace runner
