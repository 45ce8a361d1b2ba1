// One batch of a step or an evaluation: inputs and targets.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>

namespace runner {

// A pair of texts is two consecutive examples. Input that only some tasks have, such as a mask, is
// a tensor here that is undefined for all other tasks.
struct Inputs {
  at::Tensor values;        // "tokens": [B, T], int64; "numbers": [B, T, channels]
  at::Tensor padding = {};  // [B, T] of bool: true at padding; undefined: no padding
  // Only for translation: source sentences [B, S], int64, and where they are padding [B, S], bool.
  at::Tensor source = {}, source_padding = {};
  // For a text that is read in pieces: the position of the first step. If set, all layers with a
  // state carry it from piece to piece; otherwise only layers that recall do, as far as they
  // recall.
  std::optional<std::int64_t> begin = {};

  std::int64_t length() const { return values.size(1); }
  std::int64_t positions() const { return values.size(0) * values.size(1); }
};

struct Batch {
  Inputs inputs;
  at::Tensor rows;         // [N]: the positions in [B T] that are scored; undefined: all
  at::Tensor targets;      // [N]; several values of one position follow each other
  at::Tensor shares = {};  // [N, classes]: the share of each class in a mixed or smoothed target
};

}  // namespace runner
