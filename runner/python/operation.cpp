// Operations under Python's autograd, since the stable ABI has no autograd. The operator
// `lcsm::operation` computes; our Python code registers its gradient.
#include "lcsm/tensors/operation.h"

#include <cstdint>

#include "lcsm/stable/failure.h"

namespace lcsm {
namespace {

using Given = std::vector<std::optional<at::Tensor>>;
using Held = c10::intrusive_ptr<Operation>;

// An operation and the operations that make some of its inputs. The inputs are the earlier
// operations' inputs, then its own.
class Composed : public Operation {
 public:
  Composed(Held last, const std::vector<PendingInput>& pending) : last_(std::move(last)) {
    results = last_->results;
    for (const auto& [place, value] : pending) {
      steps_.push_back({place, value.by, own_, own_ + offset(value.from.size())});
      own_ = steps_.back().end;
    }
  }

  // The outputs of the last operation, then the outputs of the others.
  Tensors forward(const Tensors& inputs) const override {
    Tensors made;
    for (const Step& step : steps_) made.push_back(step.by->forward(step.of(inputs))[0]);
    Tensors out = last_->forward(inputs_of_last(inputs, made));
    out.insert(out.end(), made.begin(), made.end());
    return out;
  }

  Tensors backward(const Tensors& inputs, const Tensors& outputs,
                   const Tensors& d_outputs) const override {
    const auto split = outputs.end() - offset(steps_.size());
    const Tensors made(split, outputs.end());
    Tensors d_own =
        last_->backward(inputs_of_last(inputs, made), {outputs.begin(), split}, d_outputs);
    Tensors gradients;
    for (std::size_t n = 0; n < steps_.size(); ++n) {
      const Step& step = steps_[n];
      const Tensors d = step.by->backward(step.of(inputs), {made[n]}, {d_own[step.place]});
      gradients.insert(gradients.end(), d.begin(), d.end());
    }
    for (auto step = steps_.rbegin(); step != steps_.rend(); ++step)
      d_own.erase(d_own.begin() + offset(step->place));
    gradients.insert(gradients.end(), d_own.begin(), d_own.end());
    return gradients;
  }

 private:
  struct Step {
    std::size_t place;  // of what it makes, among the inputs of the last
    Held by;
    std::ptrdiff_t begin, end;  // its inputs

    Tensors of(const Tensors& inputs) const {
      return {inputs.begin() + begin, inputs.begin() + end};
    }
  };
  static std::ptrdiff_t offset(std::size_t n) { return static_cast<std::ptrdiff_t>(n); }

  Tensors inputs_of_last(const Tensors& inputs, const Tensors& made) const {
    Tensors all(inputs.begin() + own_, inputs.end());
    for (std::size_t n = 0; n < steps_.size(); ++n)
      all.insert(all.begin() + offset(steps_[n].place), made[n]);
    return all;
  }

  const Held last_;
  std::vector<Step> steps_;
  std::ptrdiff_t own_ = 0;  // where the last operation's own inputs begin
};

// A tensor that owns the operation, so that a graph keeps it like any other saved tensor. Its shape
// tells Python: [results, 2 if backward reads the inputs, else 1].
at::Tensor holder(Held operation) {
  const std::int64_t sizes[] = {static_cast<std::int64_t>(operation->results),
                                operation->keeps_inputs ? 2 : 1};
  constexpr std::int64_t kStrides[] = {0, 0};
  auto* const held = new Held(std::move(operation));
  AtenTensorHandle tensor = nullptr;
  TORCH_ERROR_CODE_CHECK(torch_from_blob(
      held, 2, sizes, kStrides, 0, aoti_torch_dtype_uint8(), aoti_torch_device_type_cpu(), -1,
      &tensor, aoti_torch_layout_strided(), nullptr, 0,
      [](void* data, void*) { delete static_cast<Held*>(data); }, nullptr));
  return at::Tensor(tensor);
}

Tensors tensors(const Given& given) {
  Tensors all;
  for (const std::optional<at::Tensor>& each : given) all.push_back(each.value_or(at::Tensor()));
  return all;
}

const Operation& held_by(const at::Tensor& holder) {
  return **static_cast<const Held*>(holder.const_data_ptr());
}

// The results, then the tensors saved for backward.
Tensors forward(const at::Tensor& operation, const Tensors& inputs) {
  return keeping_failure([&] {
    const at::AmbientGuard raw({.products = at::AmbientGuard::now().products});
    return held_by(operation).forward(inputs);
  });
}

// `given`: the inputs (or an undefined tensor for each), then the outputs.
Given backward(const at::Tensor& operation, std::int64_t inputs, const Given& given,
               const Given& d_results) {
  return keeping_failure([&] {
    const at::AmbientGuard raw({});
    const Tensors saved = tensors(given), d_outputs = tensors(d_results);
    const auto split = saved.begin() + inputs;
    Tensors gradients =
        held_by(operation).backward({saved.begin(), split}, {split, saved.end()}, d_outputs);
    gradients.resize(static_cast<std::size_t>(inputs));
    Given out;
    for (const at::Tensor& gradient : gradients)
      out.push_back(gradient.defined() ? std::optional(gradient) : std::nullopt);
    return out;
  });
}

STABLE_TORCH_LIBRARY_FRAGMENT(lcsm, library) {
  library.def("operation(Tensor operation, Tensor[] inputs) -> Tensor[]");
  library.def(
      "operation_backward(Tensor operation, int inputs, Tensor?[] saved, Tensor?[] d_results)"
      " -> Tensor?[]");
}
STABLE_TORCH_LIBRARY_IMPL(lcsm, CompositeExplicitAutograd, library) {
  library.impl("operation", TORCH_BOX(&forward));
  library.impl("operation_backward", TORCH_BOX(&backward));
}

}  // namespace

bool learns(const Tensors&) { return at::AmbientGuard::now().learns; }

Tensors differentiable(c10::intrusive_ptr<Operation> operation, const Tensors& inputs) {
  const std::size_t results = operation->results;
  Tensors out = learns(inputs)
                    ? at::call<Tensors>("lcsm::operation", "", holder(std::move(operation)), inputs)
                    : operation->forward(inputs);
  out.resize(results);
  return out;
}

Tensors differentiable(c10::intrusive_ptr<Operation> operation, Tensors inputs,
                       const std::vector<PendingInput>& pending) {
  if (pending.empty()) return differentiable(std::move(operation), inputs);
  Tensors all;
  for (const auto& [place, value] : pending)
    all.insert(all.end(), value.from.begin(), value.from.end());
  for (const at::Tensor& input : inputs)
    if (input.defined()) all.push_back(input);
  return differentiable(c10::make_intrusive<Composed>(std::move(operation), pending), all);
}

}  // namespace lcsm
