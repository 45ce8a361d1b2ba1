// The cross-entropy behind a tied head, -log softmax(h W^T)[target], without its logits: they are
// made, used and dropped some rows at a time, and gradients are made with them.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace runner {

// The sum over rows, under autograd. h [N, d], head W [V, d], targets [N].
// `half`: the products in bfloat16, everything else in h's type.
at::Tensor cross_entropy_sum(const at::Tensor& h, const at::Tensor& head, const at::Tensor& targets,
                             bool half = false);

struct Score {
  double loss = 0;         // summed over rows
  std::int64_t right = 0;  // rows whose largest logit is the target's
  std::int64_t rows = 0;

  Score& operator+=(const Score& other);
};

// The same without gradients.
Score score(const at::Tensor& h, const at::Tensor& head, const at::Tensor& targets,
            bool half = false);

}  // namespace runner
