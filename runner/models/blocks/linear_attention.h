// Attention whose weights are products of features: linear in the length.
#pragma once

#include "runner/models/blocks/attention.h"

namespace runner {

// q, k [B, H, T, m], v [B, H, T, w]: sum over u of (q_t . k_u) v_u, over all u or over u <= t. The
// causal sum is computed by the chunked machine of lcsm::recurrence, without forgetting.
at::Tensor summed(const Qkv& features, bool bidirectional, const lcsm::On& on);

// Normalized linear attention with nonnegative features q, k:
// y_t = sum over u of (q_t . k_u) v_u / (epsilon + sum over u of q_t . k_u).
// State of the causal form: "memory" [B, H, m, w + 1], the sum of k_u times (v_u, 1).
struct NormalizedForm {
  double epsilon = 0;
  bool bidirectional = false;
};
struct NormalizedSum {
  at::Tensor y;  // [B, H, T, w]
  lcsm::BlockState state;
};
NormalizedSum normalized(const Qkv& features, const NormalizedForm& form,
                         const lcsm::BlockContext& context);

}  // namespace runner
