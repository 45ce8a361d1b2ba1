#include "runner/models/skeletons/dropout_cuda.h"

#include <ATen/ops/empty_like.h>

#include <cstdint>
#include <stdexcept>
#include <string>

#include "lcsm/cuda/step/dropout_calls.h"
#include "lcsm/tensors/operation.h"

namespace runner {
namespace {

using at::Tensor;
using lcsm::Tensors;

struct DroppedOnGpu : lcsm::Operation {
  std::shared_ptr<lcsm::Gpu> gpu;
  lcsm::DropoutCuda mask{};
  Tensor step;

  DroppedOnGpu() { keeps_inputs = false; }

  Tensor masked(const Tensor& from) const {
    const Tensor x = from.contiguous(), out = at::empty_like(x);
    lcsm::DropoutCuda work = mask;
    work.x = x.const_data_ptr();
    work.out = out.mutable_data_ptr();
    work.count = x.numel();
    work.step = reinterpret_cast<const long long*>(step.const_data_ptr<std::int64_t>());
    gpu->run(lcsm::dropout_source(), "dropout",
             {lcsm::dropout_call(work, x.scalar_type() == at::kBFloat16)});
    return out;
  }

  Tensors forward(const Tensors& inputs) const override { return {masked(inputs[0])}; }
  Tensors backward(const Tensors&, const Tensors&, const Tensors& d) const override {
    return {d[0].defined() ? masked(d[0]) : Tensor()};
  }
};

}  // namespace

Tensor dropped_on_gpu(std::shared_ptr<lcsm::Gpu> gpu, const lcsm::DropoutCuda& mask,
                      const Tensor& step, const Tensor& x) {
  if (x.scalar_type() != at::kFloat && x.scalar_type() != at::kBFloat16)
    throw std::invalid_argument(
        std::string("dropout on a GPU: expected float32 or bfloat16, got ") +
        at::toString(x.scalar_type()));
  auto operation = c10::make_intrusive<DroppedOnGpu>();
  operation->gpu = std::move(gpu);
  operation->mask = mask;
  operation->step = step;
  return lcsm::differentiable(std::move(operation), {x})[0];
}

}  // namespace runner
