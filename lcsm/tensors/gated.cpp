#include "lcsm/tensors/gated.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/silu.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <string>

#include "lcsm/cuda/driver/gpu.h"
#include "lcsm/cuda/step/gated_calls.h"
#include "lcsm/tensors/operation.h"
#include "lcsm/tensors/rows.h"

namespace lcsm {
namespace {

using at::Tensor;

// Inputs gate and value.
struct GatedOnGpu : Operation {
  std::shared_ptr<Gpu> gpu;
  Activation activation = Activation::kIdentity;

  // A gate may be a part of each row of another tensor.
  static Tensor gate_of(const Tensors& inputs) {
    return inputs[0].numel() >> 32 == 0 ? in_rows(inputs[0]) : inputs[0].contiguous();
  }

  GatedWork work_of(const Tensor& gate, const Tensor& value) const {
    GatedWork work{activation, gate.scalar_type() == at::kBFloat16,
                   value.scalar_type() == at::kBFloat16};
    work.gated.count = gate.numel();
    work.gated.columns = static_cast<int>(gate.size(-1));
    work.gated.gate_row = row_of(gate);
    work.gated.gate = numbers(gate);
    work.gated.value = numbers(value);
    return work;
  }

  Tensors forward(const Tensors& inputs) const override {
    const Tensor gate = gate_of(inputs), value = inputs[1].contiguous(),
                 out = at::empty(value.sizes(),
                                 (value.scalar_type() == at::kFloat ? value : gate).options());
    GatedWork work = work_of(gate, value);
    work.gated.out = numbers(out);
    gpu->run(gated_source(work), "a gate", {gated_forward_call(work)});
    return {out};
  }

  Tensors backward(const Tensors& inputs, const Tensors&, const Tensors& d) const override {
    if (!d[0].defined()) return {Tensor(), Tensor()};
    const Tensor gate = gate_of(inputs), value = inputs[1].contiguous(), d_out = d[0].contiguous(),
                 d_gate = at::empty(gate.sizes(), gate.options()), d_value = at::empty_like(value);
    GatedWork work = work_of(gate, value);
    work.gated.d_out = numbers(d_out);
    work.gated.d_gate = numbers(d_gate);
    work.gated.d_value = numbers(d_value);
    gpu->run(gated_source(work), "a gate", {gated_backward_call(work)});
    return {d_gate, d_value};
  }
};

bool has_kernel(const Tensor& gate, const Tensor& value) {
  const auto fits = [](const Tensor& x) {
    return x.scalar_type() == at::kFloat || x.scalar_type() == at::kBFloat16;
  };
  return fits(gate) && fits(value) && gate.sizes() == value.sizes() && gate.numel() > 0;
}

}  // namespace

Activation activation_named(std::string_view name) {
  const auto* const found = std::ranges::find(kActivations, name);
  if (found == std::end(kActivations))
    throw std::invalid_argument("unknown activation '" + std::string(name) + "'");
  return static_cast<Activation>(found - kActivations);
}

Tensor activated(Activation activation, const Tensor& x) {
  switch (activation) {
    case Activation::kIdentity:
      return x;
    case Activation::kSigmoid:
      return at::sigmoid(x);
    case Activation::kSilu:
      return at::silu(x);
    case Activation::kGelu:
      return at::gelu(x);
    case Activation::kRelu:
      return at::relu(x);
  }
  throw std::logic_error("activated: no such activation");
}

Tensor gated(Activation activation, const Tensor& gate, const Tensor& value, const GpuOrCpu& gpu) {
  if (!gpu || !has_kernel(gate, value)) return activated(activation, gate) * value;
  auto operation = c10::make_intrusive<GatedOnGpu>();
  operation->gpu = gpu;
  operation->activation = activation;
  return differentiable(std::move(operation), {gate, value})[0];
}

}  // namespace lcsm
