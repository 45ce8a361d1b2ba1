// Softmax attention of one head, softmax(scale q k^T) v, a few queries at a time: the weights of
// all pairs are never in memory.
#pragma once

#include <cstdint>

namespace lcsm {

// Rows of `width` numbers, `step` apart. Not const, since kernels use this struct for inputs and
// results.
struct AttentionRows {
  float* at = nullptr;
  std::int64_t step = 0;
};

struct AttentionHead {
  std::int64_t queries = 0, keys = 0, width = 0;
  bool causal = false;  // query t sees the keys up to t; there are as many queries as keys
  float scale = 1;
  // [keys] or null: a key that is true here is seen only by the query of the same step; then there
  // are as many queries as keys.
  const bool* hidden = nullptr;
  AttentionRows q, k, v;
  AttentionRows y;              // forward: written; backward: read
  float* log_sum = nullptr;     // [queries], of the exponentials: forward writes, backward reads
  AttentionRows d_y;            // backward
  AttentionRows d_q, d_k, d_v;  // backward, written
  float* scratch = nullptr;     // as many numbers as the kernels ask for
};

struct AttentionKernels {
  std::int64_t (*scratch)(const AttentionHead& head);  // numbers of scratch space
  void (*forward)(const AttentionHead& head);
  void (*backward)(const AttentionHead& head);
};

// Kernels for this processor's vectors.
const AttentionKernels& attention_kernels();

}  // namespace lcsm
