// A forward pass by the machines. What can be computed outside the loop over time is computed here,
// by formulas over whole tensors under autograd.
#include <ATen/TensorOperators.h>
#include <ATen/ops/amax.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/scalar_tensor.h>

#include <algorithm>

#include "lcsm/layer/compiled.h"
#include "lcsm/layer/recurrence.h"
#include "lcsm/layer/recurrence_modes.h"
#include "lcsm/layer/rotation.h"
#include "lcsm/machines/chunk_op.h"
#include "lcsm/machines/chunk_op_cuda.h"
#include "lcsm/machines/delta_op.h"
#include "lcsm/machines/delta_op_cuda.h"
#include "lcsm/machines/running_softmax.h"
#include "lcsm/machines/scan_op.h"
#include "lcsm/machines/scan_op_cuda.h"
#include "lcsm/tensors/tensor_formula.h"

namespace lcsm {
namespace {

using at::Tensor;

class ForwardPass {
 public:
  ForwardPass(const Compiled& compiled, const RecurrenceInputs& in, const GpuOrCpu& gpu)
      : c_(compiled), v_(compiled.v), in_(in), gpu_(gpu), wide_(state_dtype(in.i.scalar_type())) {
    e_ = in.e;
    s_ = in.s;
    i_ = in.i;
    m_ = in.state.m;
  }

  // Throws std::invalid_argument if a GPU has no machine.
  RecurrenceResult run() {
    if (c_.softmax) soften();
    switch (gpu_ ? c_.on_a_gpu() : c_.plan.machine) {
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
    const auto cells = [this](const Expr& e) {
      return evaluated_cells(e, at::kDouble).expand({v_.sizes.k, v_.sizes.d});
    };
    return recurrence_modes(c_, in_, cells, gpu_);
  }

  // The result, given y and the last m.
  RecurrenceResult result_of(const Tensors& out) const {
    return {out[0], {c_.plan.rotates ? rotation_.left(out[1]) : out[1], log_sum_}};
  }

  // o = I - (scale e) v^T
  Tensors delta() {
    const Tensor u = c_.scale ? e_ * evaluated(*c_.scale) : e_;
    const DeltaInputs delta{i_, u, evaluated(*c_.erased).expand_as(e_), s_, m_, in_.log_decay};
    return gpu_ ? delta_machine_cuda(gpu_, delta) : delta_machine(delta);
  }

  Tensors chunk() {
    decay();
    if (c_.scale_place == ScalePlace::kInside)
      throw std::logic_error("recurrence: the plan left a scale to the chunk machine");
    scale();
    if (c_.plan.rotates) rotate();
    const ChunkInputs chunk{i_, e_, s_, log_k_, log_d_, m_};
    return gpu_ ? chunk_machine_cuda(gpu_, chunk) : chunk_machine(chunk, pending_);
  }

  RecurrenceResult complex() const {
    const CompiledComplexScan& of = *c_.complex[in_.s_imaginary.defined() ? 1 : 0];
    TensorFormulas formulas = cells(at::kDouble);
    const auto exact = [&](const Expr& e) { return formulas(e).expand({v_.sizes.k, v_.sizes.d}); };
    ScanInputs scan;
    scan.K = v_.sizes.k;
    scan.i = i_;
    if (!v_.e_static()) scan.e = e_;
    if (!v_.s_static()) scan.s = s_;
    scan.m = m_;
    for (const CompiledLeaf& leaf : of.leaves)
      scan.leaves.push_back(
          (leaf.type.k && leaf.type.d ? exact(leaf.formula) : leaf_value(leaf, at::kDouble))
              .to(wide_));
    Tensors exact_o;
    for (const Expr& part : of.static_o) exact_o.push_back(exact(part).detach());
    const Tensors out =
        gpu_ ? complex_scan_machine_cuda(gpu_, of.tape, scan, exact_o)
             : complex_scan_machine(of.tape, scan, static_cast<std::int64_t>(of.parts), exact_o);
    return {out[0], {out[1], log_sum_}};
  }

  // Multiplies a scale outside the loop into i or e, unless the machine multiplies i.
  void scale(bool by_machine = false) {
    if (c_.static_scale) {
      e_ = e_ * evaluated_cells(c_.static_scale, wide_);
      return;
    }
    if (!c_.scale) return;
    scale_ = evaluated(*c_.scale);
    if (by_machine) return;
    if (c_.scale_place == ScalePlace::kInput)
      i_ = (i_ * scale_).to(i_.scalar_type());
    else
      e_ = e_ * scale_;
  }

  Tensors scan() {
    const CompiledScan& of = gpu_ && c_.scan_of_a_row ? *c_.scan_of_a_row : *c_.scan;
    ScanInputs scan;
    scan.K = v_.sizes.k;
    if (!gpu_) scan.scaled_by = of.scaled_by;
    scale(/*by_machine=*/scan.scaled_by >= 0);
    // If a kernel takes projections in bfloat16, they are not widened here.
    const bool narrow = gpu_ && !of.tape->exact;
    for (const CompiledLeaf& leaf : of.leaves)
      scan.leaves.push_back(leaf_value(leaf, wide_, narrow ? in_.i.scalar_type() : wide_));
    if (of.weighs) scan.leaves.push_back(e_);
    if (c_.plan.rotates) rotate_scan(&scan);
    if (!of.weighs) scan.e = e_;
    scan.i = i_;
    scan.s = s_;
    scan.m = m_;
    return gpu_ ? scan_machine_cuda(gpu_, of.tape, scan) : scan_machine(of.tape, scan);
  }

  // The value of a leaf: [B, T], [B, T, K] or [B, T, D] over data, else [], [K], [D] or [K, D].
  Tensor leaf_value(const CompiledLeaf& leaf, at::ScalarType dtype) const {
    return leaf_value(leaf, dtype, wide_);
  }
  // `given`: the type of a leaf that is a symbol over the data.
  Tensor leaf_value(const CompiledLeaf& leaf, at::ScalarType dtype, at::ScalarType given) const {
    const std::int64_t B = in_.i.size(0), T = in_.i.size(1), K = v_.sizes.k, D = v_.sizes.d;
    if (leaf.type.k && leaf.type.d) return evaluated_cells(leaf.formula, dtype).expand({K, D});
    const auto of_data = [&](const DataFormula& formula) {
      if (formula.plain->op == Op::kSymbol) return value(formula.plain->symbol, given);
      const bool is_scale = scale_.defined() && equal(formula.plain, c_.scale->plain);
      return is_scale ? scale_ : evaluated(formula);
    };
    const Tensor value_of =
        leaf.over_data ? of_data(*leaf.over_data) : evaluated(leaf.formula, dtype);
    if (!leaf.type.data)
      return leaf.type.k ? value_of.expand({K}) : leaf.type.d ? value_of.expand({D}) : value_of;
    if (!leaf.type.k && !leaf.type.d) return value_of.expand({B, T, 1}).squeeze(2);
    return value_of.expand({B, T, leaf.type.k ? K : D});
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

  // Doubles the rows: leaves over k are repeated, e and s are rotated.
  void rotate_scan(ScanInputs* scan) {
    rotate();
    scan->K *= 2;
    for (std::size_t n = 0; n < c_.scan->leaves.size(); ++n)
      if (const Type& type = c_.scan->leaves[n].type; type.k) {
        Tensor& leaf = scan->leaves[n];
        leaf = at::cat({leaf, leaf}, type.data ? 2 : 0);
      }
    if (c_.scan->weighs) scan->leaves.back() = e_;
  }

  // The value of a symbol: [B, T, 1], [B, T, K] or [B, T, D], or a tensor that broadcasts to it.
  Tensor value(const Symbol& s, at::ScalarType dtype) const {
    const SymbolStem& stem = stem_of(s);
    const at::TensorOptions options = in_.i.options().dtype(dtype);
    if (stem.name == "tau") return at::scalar_tensor(v_.tau(), options);
    if (stem.name == "e" || s == static_e()) return in_.e.to(dtype);
    if (s == static_s()) return in_.s.to(dtype);
    if (s == static_s_imaginary()) return in_.s_imaginary.to(dtype);
    if (s == softmax_) return log_softmax_;
    const Tensor& given = in_.symbols.at(s);
    // Fixed numbers are computed again in `dtype`, since the inputs' dtype has rounded them.
    if (stem.source == Source::kFixed && given.scalar_type() != dtype && is_fixed(s, given))
      return fixed_tensor(s, v_.sizes, options, gpu_);
    return (given.dim() == 2 && stem.source == Source::kData ? given.unsqueeze(2) : given)
        .to(dtype);
  }

  // On a GPU this compares identity: comparing numbers would synchronize.
  bool is_fixed(const Symbol& s, const Tensor& given) const {
    const Tensor fixed = fixed_tensor(s, v_.sizes, given.options(), gpu_);
    return gpu_ ? given.is_same(fixed) : at::equal(given, fixed);
  }

  // The value of a formula: [B, T, 1], [B, T, K] or [B, T, D] if it varies with the data.
  Tensor evaluated(const DataFormula& formula) const { return evaluated(formula, wide_); }
  // In this type if a GPU computes it in one pass; else in float32 or float64.
  Tensor evaluated(const DataFormula& formula, at::ScalarType type) const {
    const std::int64_t B = in_.i.size(0), T = in_.i.size(1);
    if (!formula.in_one_pass) return evaluated(formula.plain, wide_);
    if (!gpu_)
      return (*formula.in_one_pass)([&](const Symbol& s) { return value(s, wide_); }, B, T);
    const auto given = [&](const Symbol& s) {
      const auto data = in_.symbols.find(s);
      const bool projected = data != in_.symbols.end() && stem_of(s).source == Source::kData;
      return value(s, projected ? data->second.scalar_type() : wide_);
    };
    const Tensor y = formula.in_one_pass->on(gpu_, given, B, T, type);
    return y.defined() ? y : evaluated(formula.plain, wide_);
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
    const Type type = c_.softmax->type;
    const std::int64_t B = in_.i.size(0), T = in_.i.size(1);
    const std::int64_t N = type.k ? v_.sizes.k : type.d ? v_.sizes.d : 1;
    const Tensor z = evaluated(c_.softmax->log).expand({B, T, N});
    const auto [log_o, log_sum] = (gpu_ ? running_softmax_anywhere : running_softmax)(
        z, in_.state.log_sum.defined() ? in_.state.log_sum.view({B, N}) : Tensor());
    log_softmax_ = log_o;
    softmax_ = running_softmax_log(v_);
    log_sum_ = type.k || type.d ? log_sum : log_sum.squeeze(1);
  }

  // True if only the machine reads the values of this part, and nothing changes them before it.
  bool is_for_the_machine(const Decay& part) const {
    const Type type = type_of(part.log.plain);
    const auto added = std::count_if(c_.decays.begin(), c_.decays.end(), [&](const Decay& other) {
      return other.type.d == part.type.d;
    });
    return !c_.softmax && !c_.plan.rotates && !c_.may_grow && added == 1 && part.log.in_one_pass &&
           (part.type.d ? type.d : type.k);
  }
  // A part may exceed 1 although the product of the parts does not; the excess of the k part moves
  // to the d part.
  void decay() {
    if (c_.softmax) add_decay(c_.softmax->type, log_softmax_);
    for (const Decay& part : c_.decays)
      if (gpu_)
        add_decay(part.type,
                  evaluated(part.log, is_for_the_machine(part) ? in_.i.scalar_type() : wide_));
      else if (is_for_the_machine(part))
        (part.type.d ? pending_.d : pending_.k) = part.log.in_one_pass->pending(
            [&](const Symbol& s) { return value(s, wide_); }, in_.i.size(0), in_.i.size(1));
      else
        add_decay(part.type, evaluated(part.log));
    if (!c_.may_grow || !log_k_.defined() || !log_d_.defined()) return;
    const Tensor most = log_k_.detach().amax(-1, /*keepdim=*/true);
    log_k_ = log_k_ - most;
    log_d_ = log_d_ + most;
  }

  void rotate() {
    rotation_ = Rotation(evaluated(v_.gate.angle, at::kDouble), e_);
    const std::int64_t B = e_.size(0), T = e_.size(1), K = e_.size(2);
    e_ = rotation_.of(e_);
    s_ = rotation_.of(s_);
    if (log_k_.defined()) log_k_ = at::cat({log_k_.expand({B, T, K}), log_k_.expand({B, T, K})}, 2);
    if (m_.defined()) m_ = Rotation::entered(m_);
  }

  const Compiled& c_;
  const Variant& v_;
  const RecurrenceInputs& in_;
  const GpuOrCpu& gpu_;
  const at::ScalarType wide_;  // type of formulas; GPU machines round values over data to i's
  Tensor i_, e_, s_, m_, scale_, log_k_, log_d_, log_softmax_, log_sum_;
  PendingDecays pending_;
  Rotation rotation_;
  Symbol softmax_ = running_softmax_log();  // stands for log_softmax_ in formulas
};

void refuse(const RecurrenceInputs& in, const std::string& expected, const std::string& next) {
  throw std::invalid_argument("recurrence: the " + expected + ", got " +
                              std::string(at::toString(in.i.scalar_type())) + " on " +
                              in.i.device().str() + "; " + next);
}

}  // namespace

RecurrenceResult by_machines(const Compiled& compiled, const RecurrenceInputs& in,
                             const GpuOrCpu& gpu) {
  const at::ScalarType dtype = in.i.scalar_type();
  if (gpu && dtype != at::kFloat && dtype != at::kBFloat16)
    refuse(in, "GPU machines expected float32 or bfloat16", "convert the tensors, or use the CPU");
  if (!gpu && (!in.i.is_cpu() || (dtype != at::kFloat && dtype != at::kDouble)))
    refuse(in, "CPU machines expected float32 or float64 on cpu",
           "convert or move the tensors, or compute the definition");
  return ForwardPass(compiled, in, gpu).run();
}

}  // namespace lcsm
