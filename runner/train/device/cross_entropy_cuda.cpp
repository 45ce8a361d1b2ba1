#include "runner/train/device/cross_entropy_cuda.h"

#include <ATen/ops/empty.h>

#include "lcsm/cuda/step/cross_entropy_calls.h"

namespace runner {

void cross_entropy_on_gpu(lcsm::Gpu* gpu, const at::Tensor& logits, std::int64_t V,
                          const at::Tensor& targets, bool learns, const at::Tensor& sums) {
  const at::Tensor of_rows = at::empty({2, logits.size(0)}, logits.options().dtype(at::kFloat));
  lcsm::CrossEntropyWork work;
  work.bfloat16 = logits.scalar_type() == at::kBFloat16;
  work.rows.rows = logits.size(0);
  work.rows.V = static_cast<int>(V);
  work.rows.stride = static_cast<int>(logits.size(1));
  work.rows.logits = logits.mutable_data_ptr();
  work.rows.targets = reinterpret_cast<const long long*>(targets.const_data_ptr<std::int64_t>());
  work.rows.loss = of_rows.mutable_data_ptr<float>();
  work.rows.right = work.rows.loss + logits.size(0);
  work.rows.scale = 1;
  work.rows.learns = learns;
  work.sums = sums.mutable_data_ptr<double>();
  work.add = true;
  gpu->run(lcsm::cross_entropy_source(), "cross-entropy", lcsm::cross_entropy_calls(work));
}

}  // namespace runner
