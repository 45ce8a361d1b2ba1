// One batch of a step or an evaluation: inputs and targets.
#pragma once

#include <ATen/core/Tensor.h>

#include <optional>

namespace runner {

// A pair of texts is two consecutive examples. Input that only some tasks have (a mask) is another
// tensor here, undefined for all others.
struct Inputs {
  at::Tensor values;        // "tokens": [B, T], int64; "numbers": [B, T, channels]
  at::Tensor padding = {};  // [B, T] of bool: true where nothing is; undefined: none
  // Only for translation: source sentences [B, S], int64, and where they are padding [B, S], bool.
  at::Tensor source = {}, source_padding = {};
  // Of a text that is read in pieces, as if at once: the place of the first step. Layers that have
  // a state carry it from piece to piece then, otherwise only those that recall, as far as they do.
  std::optional<std::int64_t> begin = {};

  std::int64_t length() const { return values.size(1); }
  std::int64_t positions() const { return values.size(0) * values.size(1); }
};

struct Batch {
  Inputs inputs;
  at::Tensor rows;         // [N]: the positions in [B T] that are scored; undefined: all
  at::Tensor targets;      // [N]; of several values a position, theirs one after the other
  at::Tensor shares = {};  // [N, classes]: of each class in a mixed or smoothed target
};

}  // namespace runner
