#include "lcsm/operation.h"

#include <ATen/core/grad_mode.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/csrc/autograd/functions/basic_ops.h>

namespace lcsm {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::Function;

// Gradients that, asked for a gradient of their own, say that there is none.
Tensors once(Tensors gradients) {
  if (!at::GradMode::is_enabled()) return gradients;
  for (at::Tensor& gradient : gradients) {
    if (!gradient.defined()) continue;
    const auto refusal = std::make_shared<torch::autograd::DelayedError>(
        "recurrence: expected first derivatives only, got asked for a second one: the fast machines "
        "have none; use the definition (Backend::kReference) for that",
        1);
    gradient = refusal->apply({gradient.detach().requires_grad_()})[0];
  }
  return gradients;
}

struct Applied : Function<Applied> {
  static Tensors forward(AutogradContext* ctx, c10::intrusive_ptr<Operation> operation,
                         at::TensorList inputs) {
    const Tensors in = inputs.vec();
    Tensors out = operation->forward(in), saved = in;
    saved.insert(saved.end(), out.begin(), out.end());
    ctx->save_for_backward(saved);
    ctx->mark_non_differentiable(
        Tensors(out.begin() + static_cast<std::ptrdiff_t>(operation->results), out.end()));
    ctx->set_materialize_grads(false);
    ctx->saved_data["inputs"] = static_cast<std::int64_t>(in.size());
    ctx->saved_data["operation"] = c10::IValue::make_capsule(operation);
    return out;
  }

  static Tensors backward(AutogradContext* ctx, Tensors d_outputs) {
    const auto capsule = ctx->saved_data["operation"].toCapsule();
    const auto& operation = dynamic_cast<const Operation&>(*capsule);
    const Tensors saved = ctx->get_saved_variables();
    const auto split = saved.begin() + ctx->saved_data["inputs"].toInt();
    d_outputs.resize(operation.results);
    Tensors gradients;
    {
      const at::NoGradGuard raw;
      gradients = operation.backward({saved.begin(), split}, {split, saved.end()}, d_outputs);
    }
    gradients = once(std::move(gradients));
    gradients.insert(gradients.begin(), at::Tensor());  // of the operation itself
    return gradients;
  }
};

}  // namespace

Tensors differentiable(c10::intrusive_ptr<Operation> operation, const Tensors& inputs) {
  const std::size_t results = operation->results;
  Tensors out = Applied::apply(std::move(operation), at::TensorList(inputs));
  out.resize(results);
  return out;
}

}  // namespace lcsm
