// Computes the recurrence step by step, as it is written.
#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/cos.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/logaddexp.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/sin.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>

#include "lcsm/formula/logarithm.h"
#include "lcsm/layer/recurrence.h"
#include "lcsm/tensors/tensor_formula.h"

namespace lcsm {
namespace {

using at::Tensor;

class Reference {
 public:
  Reference(const Variant& v, const RecurrenceInputs& in)
      : v_(v), in_(in), K_(v.sizes.k), D_(v.sizes.d), log_o_(log_of_gate(v)) {
    if (v.is_complex()) scale_ = parts(v.oscillation.scale);
    if (v.oscillation.read) read_ = parts(v.oscillation.read);
    re_ = in.state.m.defined() ? in.state.m.narrow(1, 0, K_)
                               : at::zeros({in.i.size(0), K_, D_}, in.i.options());
    if (v.gate.angle)
      im_ = in.state.m.defined() ? in.state.m.narrow(1, K_, K_) : at::zeros_like(re_);
    if (in.state.log_sum.defined()) log_sum_ = in.state.log_sum;
  }

  RecurrenceResult run() {
    std::vector<Tensor> y;  // T of [B, D]
    for (t_ = 0; t_ < in_.i.size(1); ++t_) {
      if (v_.oscillation.matrix)
        erase_and_write();
      else
        decay_and_write();
      y.push_back(read());
    }
    return {at::stack(y, 1), {v_.gate.angle ? at::cat({re_, im_}, 1) : re_, log_sum_}};
  }

 private:
  // exp(log o) keeps its precision and its gradient where the gate as written would underflow.
  static Expr log_of_gate(const Variant& v) {
    if (v.oscillation.matrix) return nullptr;
    return log_of(v.gate.real).value_or(nullptr);
  }

  // The parts of a weight. The symbol o remains in them; its value is o_ at each step.
  ComplexParts parts(const Expr& weight) const {
    if (!weight) return {number(1), nullptr};
    return complex_parts(with_gate(weight, symbol(parse_symbol("o")), v_.gate.angle));
  }

  // The current step of a [B, T, ...] tensor, shaped to broadcast against [B, K, D].
  Tensor now(const Tensor& data, Axes axes) const {
    const Tensor step = data.select(1, t_);
    if (axes == Axes::kNone) return step.view({-1, 1, 1});
    return axes == Axes::kK ? step.unsqueeze(2) : step.unsqueeze(1);
  }

  Tensor stage(const Tensor& e) const { return e.dim() == 2 ? e : now(e, Axes::kK); }

  Tensor value(const Symbol& s) const {
    const SymbolStem& stem = stem_of(s);
    if (stem.name == "tau") return at::scalar_tensor(v_.tau(), in_.i.options());
    if (stem.name == "e") return stage(in_.e);
    if (stem.name == "o") return o_;
    const Tensor& tensor = in_.symbols.at(s);
    if (stem.source == Source::kData) return now(tensor, s.axes);
    return tensor.dim() == 1 && s.axes == Axes::kK ? tensor.unsqueeze(1) : tensor;
  }

  Tensor evaluated(const Expr& e) const {
    return evaluate_tensor(
        e, [this](const Symbol& s) { return value(s); }, in_.i.options());
  }

  // Re(read s m), summed over k.
  Tensor read() const {
    Tensor re = stage(in_.s), im = in_.s_imaginary;
    if (read_.re) {
      const Tensor s_re = re, s_im = im;
      const Tensor by_re = evaluated(read_.re), by_im = read_.im ? evaluated(read_.im) : Tensor();
      re = difference(s_re * by_re, product(s_im, by_im));
      im = sum(product(s_re, by_im), product(s_im, by_re));
    }
    return difference(re * re_, product(im, im_)).sum(1);
  }
  // Undefined is 0.
  static Tensor product(const Tensor& a, const Tensor& b) {
    return a.defined() && b.defined() ? a * b : Tensor();
  }
  static Tensor sum(const Tensor& a, const Tensor& b) {
    return !a.defined() ? b : b.defined() ? a + b : a;
  }
  static Tensor difference(const Tensor& a, const Tensor& b) { return b.defined() ? a - b : a; }

  // The value written to the memory's rows, e times the scale, [B, K, D].
  Tensor scaled_e() const {
    const Tensor e = stage(in_.e);
    return v_.oscillation.scale ? evaluated(v_.oscillation.scale) * e : e;
  }
  Tensor input() const { return now(in_.i, Axes::kD); }

  // o = S_{t-1} / S_t, with the sums stored as logarithms; 0 at the very start.
  Tensor running_softmax() {
    const Type type = type_of(v_.gate.cumulative);
    const std::int64_t B = in_.i.size(0);
    const Tensor logits =
        evaluated(v_.gate.cumulative).expand({B, type.k ? K_ : 1, type.d ? D_ : 1});
    const Tensor flat = type.k   ? logits.squeeze(2)
                        : type.d ? logits.squeeze(1)
                                 : logits.squeeze(2).squeeze(1);
    const Tensor before = log_sum_;
    log_sum_ = before.defined() ? at::logaddexp(before, flat) : flat;
    const Tensor o = before.defined() ? at::exp(before - log_sum_) : at::zeros_like(flat);
    return o.view_as(logits);
  }

  void decay_and_write() {
    o_ = log_o_ ? at::exp(evaluated(log_o_)) : evaluated(v_.gate.real);
    if (v_.gate.cumulative) o_ = o_ * running_softmax();
    if (v_.gate.angle) return turn_and_write();
    re_ = o_ * re_ + scaled_e() * input();
  }

  void turn_and_write() {
    const Tensor angle = evaluated(v_.gate.angle), written = stage(in_.e) * input();
    const Tensor c = at::cos(angle), s = at::sin(angle), re = re_;
    re_ = o_ * (c * re - s * im_) + evaluated(scale_.re) * written;
    im_ = o_ * (s * re + c * im_);
    if (scale_.im) im_ = im_ + evaluated(scale_.im) * written;
  }

  // m = a m, then m = m - u (v^T m) + u i^T with u = scale e
  void erase_and_write() {
    if (in_.log_decay.defined()) re_ = at::exp(now(in_.log_decay, Axes::kNone)) * re_;
    const Tensor read = (evaluated(v_.gate.real) * re_).sum(1, /*keepdim=*/true);  // [B, 1, D]
    re_ = re_ + scaled_e() * (input() - read);
  }

  const Variant& v_;
  const RecurrenceInputs& in_;
  const std::int64_t K_, D_;
  const Expr log_o_;           // null: the gate may be 0 or negative
  ComplexParts scale_, read_;  // scale_: of a complex memory only; null: none
  std::int64_t t_ = 0;
  Tensor re_, im_;  // [B, K, D]; im_ of a complex memory only
  Tensor log_sum_;
  Tensor o_;  // at the current step
};

}  // namespace

RecurrenceResult recurrence_reference(const Variant& variant, const RecurrenceInputs& inputs) {
  check_inputs(variant, given_symbols(variant), inputs);
  return Reference(variant, inputs).run();
}

}  // namespace lcsm
