// Prepares a variant for its machine: everything that need not be inside the loop over time is
// computed here, by formulas over whole tensors under autograd.
#include <ATen/TensorOperators.h>
#include <ATen/ops/amax.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/scalar_tensor.h>

#include "lcsm/code/plan.h"
#include "lcsm/formula/logarithm.h"
#include "lcsm/formula/range.h"
#include "lcsm/formula/simplify.h"
#include "lcsm/kernel/cuda_machine.h"
#include "lcsm/layer/recurrence.h"
#include "lcsm/layer/recurrence_complex.h"
#include "lcsm/layer/recurrence_modes.h"
#include "lcsm/layer/rotation.h"
#include "lcsm/machines/chunk_op.h"
#include "lcsm/machines/chunk_op_cuda.h"
#include "lcsm/machines/delta_op.h"
#include "lcsm/machines/delta_op_cuda.h"
#include "lcsm/machines/machines_cuda.h"
#include "lcsm/machines/map_op.h"
#include "lcsm/machines/running_softmax.h"
#include "lcsm/machines/scan_op.h"
#include "lcsm/machines/scan_op_cuda.h"
#include "lcsm/tape/scan_gate.h"
#include "lcsm/tensors/tensor_formula.h"

namespace lcsm {
namespace {

using at::Tensor;

class Lowered {
 public:
  // gpu null: on the CPU.
  Lowered(const Variant& v, const RecurrenceInputs& in, std::shared_ptr<Gpu> gpu)
      : v_(v),
        in_(in),
        plan_(plan_of(v)),
        gpu_(std::move(gpu)),
        wide_(state_dtype(in.i.scalar_type())) {
    e_ = in.e;
    s_ = in.s;
    i_ = in.i;
    m_ = in.state.m;
  }

  // Throws std::invalid_argument where a GPU has no machine.
  RecurrenceResult run() {
    if (plan_.cumulative) soften();
    switch (gpu_ ? cuda_machine_of(v_, plan_) : plan_.machine) {
      case Machine::kModes:
        return modes();
      case Machine::kComplex:
        return complex();
      case Machine::kDelta:
        return result_of(delta());
      case Machine::kChunk:
        return result_of(chunk());
      case Machine::kScan:
        return result_of(scan());
    }
    throw std::logic_error("recurrence: a plan without a machine");
  }

 private:
  RecurrenceResult modes() const {
    return recurrence_modes(v_, in_, [this](const Expr& e) {
      return evaluated_cells(e, at::kDouble).expand({v_.sizes.k, v_.sizes.d});
    });
  }

  // The result, given y and the last m.
  RecurrenceResult result_of(const Tensors& out) const {
    return {out[0], {plan_.rotates ? rotation_.left(out[1]) : out[1], log_sum_}};
  }

  // o = I - (scale e) v^T
  Tensors delta() {
    const Tensor u = v_.oscillation.scale ? e_ * evaluated(v_.oscillation.scale) : e_;
    const DeltaInputs delta{i_, u, evaluated(v_.gate.real).expand_as(e_), s_, m_, in_.log_decay};
    return gpu_ ? delta_machine_cuda(gpu_, delta) : delta_machine(delta);
  }

  Tensors chunk() {
    decay();
    if (scale_inside())
      throw std::logic_error("recurrence: the plan left a scale to the chunk machine");
    if (plan_.rotates) rotate();
    const ChunkInputs chunk{i_, e_, s_, log_k_, log_d_, m_};
    return gpu_ ? chunk_machine_cuda(gpu_, chunk) : chunk_machine(chunk);
  }

  RecurrenceResult complex() const {
    TensorFormulas formulas = cells(at::kDouble);
    const auto cells = [&](const Expr& e) { return formulas(e).expand({v_.sizes.k, v_.sizes.d}); };
    const auto leaf = [&](const Leaf& of) {
      return of.type.k && of.type.d ? cells(of.formula) : leaf_value(of, at::kDouble);
    };
    RecurrenceResult result = recurrence_complex(v_, in_, {.leaf = leaf, .cells = cells}, gpu_);
    result.state.log_sum = log_sum_;
    return result;
  }

  Expr gate() const { return whole_gate(v_).o; }

  // Multiplies the scale into e or i before the loop. Returns it if neither can absorb it.
  Expr scale_inside() {
    const Expr& by = v_.oscillation.scale;
    const ScalePlace place = scale_place(v_);
    if (place == ScalePlace::kNowhere || place == ScalePlace::kInside) return by;
    const Expr formula =
        substitute(by, [&](const Symbol& s) { return stem_of(s).name == "o" ? gate() : nullptr; });
    if (place == ScalePlace::kInput)
      i_ = (i_ * evaluated(formula)).to(i_.scalar_type());
    else
      e_ = e_ * (v_.e_static() ? evaluated_cells(formula, wide_) : evaluated(formula));
    return nullptr;
  }

  Tensors scan() {
    scale_inside();
    ScanGate made = scan_gate(v_);
    ScanInputs scan;
    scan.K = v_.sizes.k;
    for (const Leaf& leaf : made.inside.leaves) scan.leaves.push_back(leaf_value(leaf, wide_));
    if (made.inside.w) scan.leaves.push_back(e_);
    if (plan_.rotates) rotate_scan(&scan, made.inside);
    if (!made.inside.w) scan.e = e_;
    scan.i = i_;
    scan.s = s_;
    scan.m = m_;
    auto tape = std::make_shared<const Tape>(std::move(made.tape));
    return gpu_ ? scan_machine_cuda(gpu_, std::move(tape), scan)
                : scan_machine(std::move(tape), scan);
  }

  Expr without_tau(const Expr& e) const {
    return substitute(e, [this](const Symbol& s) {
      return stem_of(s).name == "tau" ? number(v_.tau()) : nullptr;
    });
  }

  // [B, T], [B, T, K] or [B, T, D] over data, else [], [K], [D] or [K, D] of the dtype.
  Tensor leaf_value(const Leaf& leaf, at::ScalarType dtype) const {
    const std::int64_t B = in_.i.size(0), T = in_.i.size(1), K = v_.sizes.k, D = v_.sizes.d;
    if (leaf.type.k && leaf.type.d) return evaluated_cells(leaf.formula, dtype).expand({K, D});
    const Tensor value = leaf.type.data ? evaluated(leaf.formula) : evaluated(leaf.formula, dtype);
    if (!leaf.type.data)
      return leaf.type.k ? value.expand({K}) : leaf.type.d ? value.expand({D}) : value;
    if (!leaf.type.k && !leaf.type.d) return value.expand({B, T, 1}).squeeze(2);
    return value.expand({B, T, leaf.type.k ? K : D});
  }
  // Evaluates static symbols to a tensor that broadcasts to [K, D].
  Tensor evaluated_cells(const Expr& e, at::ScalarType dtype) const { return cells(dtype)(e); }
  TensorFormulas cells(at::ScalarType dtype) const {
    return {[this, dtype](const Symbol& s) {
              const Tensor given = value(s, dtype);
              return s.axes == Axes::kK && given.dim() == 1 ? given.unsqueeze(1) : given;
            },
            in_.i.options().dtype(dtype)};
  }

  // Doubles the rows: what varies over k is repeated, e and s are rotated.
  void rotate_scan(ScanInputs* scan, const Lowering& inside) {
    rotate();
    scan->K *= 2;
    for (std::size_t n = 0; n < inside.leaves.size(); ++n)
      if (const Type& type = inside.leaves[n].type; type.k) {
        Tensor& leaf = scan->leaves[n];
        leaf = at::cat({leaf, leaf}, type.data ? 2 : 0);
      }
    if (inside.w) scan->leaves.back() = e_;
  }

  // A symbol over [B, T, 1], [B, T, K] or [B, T, D], or what broadcasts to it.
  Tensor value(const Symbol& s, at::ScalarType dtype) const {
    const SymbolStem& stem = stem_of(s);
    const at::TensorOptions options = in_.i.options().dtype(dtype);
    if (stem.name == "tau") return at::scalar_tensor(v_.tau(), options);
    if (stem.name == "e" || s == static_e()) return in_.e.to(dtype);
    if (s == static_s()) return in_.s.to(dtype);
    if (s == static_s_imaginary()) return in_.s_imaginary.to(dtype);
    if (s == softmax_) return log_softmax_;
    const Tensor& given = in_.symbols.at(s);
    // A fixed number keeps the digits that the inputs' dtype cannot hold.
    if (stem.source == Source::kFixed && given.scalar_type() != dtype && is_fixed(s, given))
      return fixed_tensor(s, v_.sizes, options);
    return (given.dim() == 2 && stem.source == Source::kData ? given.unsqueeze(2) : given)
        .to(dtype);
  }

  // Numbers on a GPU are not waited for.
  bool is_fixed(const Symbol& s, const Tensor& given) const {
    const Tensor fixed = fixed_tensor(s, v_.sizes, given.options());
    return gpu_ ? given.is_same(fixed) : at::equal(given, fixed);
  }

  // Computes what varies with the data in one pass, into [B, T, 1], [B, T, K] or [B, T, D].
  Tensor evaluated(const Expr& e) const {
    const Expr plain = simplify(without_tau(e));
    const Type type = type_of(plain);  // what varies over the data may cancel
    if (!type.data || plain->op == Op::kSymbol || gpu_) return evaluated(plain, wide_);
    return map_formula(
        plain, [&](const Symbol& s) { return value(s, wide_); }, in_.i.size(0), in_.i.size(1),
        type.k   ? v_.sizes.k
        : type.d ? v_.sizes.d
                 : 1);
  }
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
    const auto [log_o, log_sum] = (gpu_ ? running_softmax_anywhere : running_softmax)(
        z, in_.state.log_sum.defined() ? in_.state.log_sum.view({B, N}) : Tensor());
    log_softmax_ = log_o;
    softmax_ = running_softmax_log(v_);
    log_sum_ = type.k || type.d ? log_sum : log_sum.squeeze(1);
  }

  // Each part may exceed 1 although their product does not: the k part's excess moves to the d
  // part.
  void decay() {
    if (plan_.cumulative) add_decay(type_of(v_.gate.cumulative), log_softmax_);
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

  void rotate() {
    rotation_ = Rotation(evaluated(v_.gate.angle, at::kDouble), e_);
    const std::int64_t B = e_.size(0), T = e_.size(1), K = e_.size(2);
    e_ = rotation_.of(e_);
    s_ = rotation_.of(s_);
    if (log_k_.defined()) log_k_ = at::cat({log_k_.expand({B, T, K}), log_k_.expand({B, T, K})}, 2);
    if (m_.defined()) m_ = Rotation::entered(m_);
  }

  const Variant& v_;
  const RecurrenceInputs& in_;
  const Plan plan_;
  const std::shared_ptr<Gpu> gpu_;
  const at::ScalarType wide_;  // of formulas; machines of a GPU round what is over data to i's
  Tensor i_, e_, s_, m_, log_k_, log_d_, log_softmax_, log_sum_;
  Rotation rotation_;
  Symbol softmax_ = running_softmax_log();  // stands for log_softmax_ in formulas
};

}  // namespace

RecurrenceResult recurrence_by_machine(const Variant& variant, const RecurrenceInputs& inputs) {
  check_inputs(variant, inputs);
  if (!inputs.i.is_cpu() ||
      !(inputs.i.scalar_type() == at::kFloat || inputs.i.scalar_type() == at::kDouble))
    throw std::invalid_argument(
        "recurrence: the CPU machines expected float32 or float64 on cpu, got " +
        std::string(at::toString(inputs.i.scalar_type())) + " on " + inputs.i.device().str() +
        "; move the tensors, or use Backend::kReference");
  return Lowered(variant, inputs, nullptr).run();
}

RecurrenceResult recurrence_cuda(const Variant& variant, const RecurrenceInputs& inputs,
                                 std::shared_ptr<Gpu> gpu) {
  check_inputs(variant, inputs);
  if (inputs.i.scalar_type() != at::kFloat && inputs.i.scalar_type() != at::kBFloat16)
    throw std::invalid_argument("recurrence: the GPU machines expected float32 or bfloat16, got " +
                                std::string(at::toString(inputs.i.scalar_type())) +
                                "; convert the tensors, or use the CPU");
  return Lowered(variant, inputs, std::move(gpu)).run();
}

}  // namespace lcsm
