// Cross-entropy on a GPU, in place.
#pragma once

#include <ATen/core/Tensor.h>

#include "lcsm/cuda/driver/gpu.h"

namespace runner {

// Adds to sums [3], float64: the number of rows, their losses, the rows whose target has the
// largest logit. When training, logits [rows, V or more], float32 or bfloat16, are replaced by
// their gradient, which is 0 from column V on. targets [rows], int64.
void cross_entropy_on_gpu(lcsm::Gpu* gpu, const at::Tensor& logits, std::int64_t V,
                          const at::Tensor& targets, bool learns, const at::Tensor& sums);

}  // namespace runner
