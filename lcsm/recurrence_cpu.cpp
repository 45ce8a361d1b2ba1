// From a variant to its machine: what does not belong into the loop over time is computed here, by
// formulas over whole tensors under autograd.
#include <ATen/TensorOperators.h>
#include <ATen/ops/amax.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/cos.h>
#include <ATen/ops/cumsum.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/remainder.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/sin.h>

#include <numbers>

#include "lcsm/chunk_op.h"
#include "lcsm/plan.h"
#include "lcsm/range.h"
#include "lcsm/recurrence.h"
#include "lcsm/running_softmax.h"
#include "lcsm/tensor_formula.h"

namespace lcsm {
namespace {

using at::Tensor;

class Lowered {
 public:
  Lowered(const Variant& v, const RecurrenceInputs& in) : v_(v), in_(in), plan_(plan_of(v)) {
    e_ = in.e;
    s_ = in.s;
    i_ = in.i;
    m_ = in.state.m;
  }

  RecurrenceResult run() {
    if (plan_.machine != Machine::kChunk) return recurrence_reference(v_, in_);
    if (plan_.cumulative) soften();
    decay();
    scale();
    if (plan_.rotates) rotate();
    const Tensors out = chunk_machine({i_, e_, s_, log_k_, log_d_, m_});
    return {out[0], {plan_.rotates ? rotated_back(out[1]) : out[1], log_sum_}};
  }

 private:
  // A symbol over [B, T, 1], [B, T, K] or [B, T, D], or what broadcasts to it.
  Tensor value(const Symbol& s, at::ScalarType dtype) const {
    const SymbolStem& stem = stem_of(s);
    const at::TensorOptions options = in_.i.options().dtype(dtype);
    if (stem.name == "tau") return at::scalar_tensor(v_.tau(), options);
    if (stem.name == "e") return in_.e.to(dtype);
    if (stem.name == "o") return o_.to(dtype);
    const Tensor& given = in_.symbols.at(s);
    // A fixed number keeps the digits that the inputs' dtype cannot hold.
    if (stem.source == Source::kFixed && given.scalar_type() != dtype)
      if (const Tensor fixed = fixed_tensor(s, v_.sizes, options);
          at::equal(fixed.to(given.scalar_type()), given))
        return fixed;
    return (given.dim() == 2 && stem.source == Source::kData ? given.unsqueeze(2) : given)
        .to(dtype);
  }

  Tensor evaluated(const Expr& e) const { return evaluated(e, in_.i.scalar_type()); }
  Tensor evaluated(const Expr& e, at::ScalarType dtype) const {
    return evaluate_tensor(
        e, [&](const Symbol& s) { return value(s, dtype); }, in_.i.options().dtype(dtype));
  }

  void add_decay(const Type& type, const Tensor& log_o) {
    Tensor& into = type.d ? log_d_ : log_k_;
    into = into.defined() ? into + log_o : log_o;
  }

  void soften() {
    const Type type = type_of(v_.gate.cumulative);
    const std::int64_t B = in_.i.size(0), T = in_.i.size(1);
    const std::int64_t N = type.k ? v_.sizes.k : type.d ? v_.sizes.d : 1;
    const Tensor z = evaluated(v_.gate.cumulative).expand({B, T, N});
    const auto [log_o, log_sum] = running_softmax(
        z, in_.state.log_sum.defined() ? in_.state.log_sum.view({B, N}) : Tensor());
    add_decay(type, log_o);
    log_sum_ = type.k || type.d ? log_sum : log_sum.squeeze(1);
  }

  // Each part may pass 1 where their product does not: what the k part has too much goes to d.
  void decay() {
    if (has(plan_.parts->time)) add_decay({}, evaluated(plan_.parts->time));
    if (has(plan_.parts->k)) add_decay({.k = true}, evaluated(plan_.parts->k));
    if (has(plan_.parts->d)) add_decay({.d = true}, evaluated(plan_.parts->d));
    const auto may_grow = [](const Expr& part) { return range_of(part).high.value > 0; };
    if (!may_grow(plan_.parts->time) && !may_grow(plan_.parts->k) && !may_grow(plan_.parts->d))
      return;
    if (!log_k_.defined() || !log_d_.defined()) return;
    const Tensor most = log_k_.detach().amax(-1, /*keepdim=*/true);
    log_k_ = log_k_ - most;
    log_d_ = log_d_ + most;
  }
  static bool has(const Expr& part) { return !is_constant(part, 0); }

  void scale() {
    if (!v_.oscillation.scale) return;
    if (log_k_.defined() && !log_d_.defined()) o_ = at::exp(log_k_);
    if (log_d_.defined() && !log_k_.defined()) o_ = at::exp(log_d_);
    if (log_d_.defined() && log_k_.defined()) o_ = Tensor();
    const Tensor by = evaluated(v_.oscillation.scale);
    if (type_of(with_gate(v_.oscillation.scale, v_.o())).d)
      i_ = i_ * by;
    else
      e_ = e_ * by;
  }

  // e and s turned by the angle so far; m_t = turned back at the end.
  void rotate() {
    const Tensor angle = evaluated(v_.gate.angle, at::kDouble);
    const std::int64_t B = in_.i.size(0), T = in_.i.size(1), K = v_.sizes.k;
    const bool data = type_of(v_.gate.angle).data;
    const Tensor turned = at::remainder(at::cumsum(angle.expand({data ? B : 1, T, K}), 1),
                                        2 * std::numbers::pi);
    cos_ = at::cos(turned).to(in_.i.scalar_type());
    sin_ = at::sin(turned).to(in_.i.scalar_type());
    e_ = at::cat({e_ * cos_, e_ * sin_}, 2);
    s_ = at::cat({s_ * cos_, s_ * sin_}, 2);
    if (log_k_.defined()) log_k_ = at::cat({log_k_.expand({B, T, K}), log_k_.expand({B, T, K})}, 2);
    if (m_.defined()) m_ = at::cat({m_.narrow(1, 0, K), -m_.narrow(1, K, K)}, 1);
  }

  Tensor rotated_back(const Tensor& m) const {
    const std::int64_t T = in_.i.size(1), K = v_.sizes.k;
    const Tensor c = cos_.select(1, T - 1).unsqueeze(2), s = sin_.select(1, T - 1).unsqueeze(2);
    const Tensor re = m.narrow(1, 0, K), im = m.narrow(1, K, K);
    return at::cat({c * re + s * im, s * re - c * im}, 1);
  }

  const Variant& v_;
  const RecurrenceInputs& in_;
  const Plan plan_;
  Tensor i_, e_, s_, m_, log_k_, log_d_, o_, log_sum_, cos_, sin_;
};

}  // namespace

RecurrenceResult recurrence_cpu(const Variant& variant, const RecurrenceInputs& inputs) {
  check_inputs(variant, inputs);
  return Lowered(variant, inputs).run();
}

}  // namespace lcsm
