#include "lcsm/tensors/operation.h"

#include <ATen/core/grad_mode.h>
#include <ATen/record_function.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <c10/util/Type.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/functions/basic_ops.h>
#include <torch/csrc/autograd/functions/utils.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <typeinfo>

namespace lcsm {
namespace {

using torch::autograd::AutogradContext;

// Makes a second derivative an error, on every path back to the inputs.
void refuse_second(const Tensors& made_from, Tensors* gradients) {
  if (!at::GradMode::is_enabled()) return;
  const auto refusal = std::make_shared<torch::autograd::Error>(
      "recurrence: expected first derivatives only, got a second one: the machines have "
      "none; use the definition (Backend::kReference)",
      torch::autograd::collect_next_edges(made_from));
  for (at::Tensor& gradient : *gradients)
    if (gradient.defined()) torch::autograd::set_history(gradient, refusal);
}

// Names the pass to LibTorch's profilers.
template <class Pass>
Tensors recorded(at::RecordScope scope, const Operation& operation, const Tensors& inputs,
                 const Pass& pass) {
  at::RecordFunction record(scope);
  if (!record.isActive()) return pass();
  const std::vector<c10::IValue> given(inputs.begin(), inputs.end());
  const std::string name = c10::demangle(typeid(operation).name());
  record.before(name, &given);
  Tensors out = pass();
  if (record.needsOutputs()) record.setOutputs(std::vector<c10::IValue>(out.begin(), out.end()));
  return out;
}

struct Applied : torch::autograd::Function<Applied> {
  static Tensors forward(AutogradContext* ctx, c10::intrusive_ptr<Operation> operation,
                         at::TensorList inputs) {
    const Tensors in = inputs.vec();
    const c10::impl::ExcludeDispatchKeyGuard exact(
        operation->autocasts ? c10::DispatchKeySet() : c10::autocast_dispatch_keyset);
    Tensors out = recorded(at::RecordScope::USER_SCOPE, *operation, in,
                           [&] { return operation->forward(in); });
    Tensors saved = operation->keeps_inputs ? in : Tensors(in.size());
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
      const c10::impl::ExcludeDispatchKeyGuard exact(c10::autocast_dispatch_keyset);
      gradients = recorded(at::RecordScope::BACKWARD_FUNCTION, operation, saved, [&] {
        return operation.backward({saved.begin(), split}, {split, saved.end()}, d_outputs);
      });
    }
    Tensors made_from(saved.begin(), split);
    for (const at::Tensor& d : d_outputs)
      if (d.defined()) made_from.push_back(d);
    refuse_second(made_from, &gradients);
    gradients.insert(gradients.begin(), at::Tensor());  // none for the operation itself
    return gradients;
  }
};

}  // namespace

bool learns(const Tensors& inputs) {
  return at::GradMode::is_enabled() &&
         std::any_of(inputs.begin(), inputs.end(),
                     [](const at::Tensor& tensor) { return tensor.requires_grad(); });
}

Tensors differentiable(c10::intrusive_ptr<Operation> operation, const Tensors& inputs) {
  const std::size_t results = operation->results;
  Tensors out = Applied::apply(std::move(operation), at::TensorList(inputs));
  out.resize(results);
  return out;
}

Tensors differentiable(c10::intrusive_ptr<Operation> operation, Tensors inputs,
                       const std::vector<PendingInput>& pending) {
  for (const auto& [place, value] : pending)
    inputs[place] = differentiable(value.by, value.from)[0];
  return differentiable(std::move(operation), inputs);
}

}  // namespace lcsm
