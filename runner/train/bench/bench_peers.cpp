// The loop over time, as fast as LibTorch allows: computes as much as possible for all steps at
// once, and passes over the memory as rarely as possible in each step.
#include "runner/train/bench/bench_peers.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/addcmul.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/baddbmm.h>
#include <ATen/ops/bmm.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/cos.h>
#include <ATen/ops/cumsum.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/full.h>
#include <ATen/ops/logcumsumexp.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/sin.h>
#include <fmt/format.h>

#include "lcsm/base/allowance.h"
#include "lcsm/code/plan.h"
#include "lcsm/formula/logarithm.h"
#include "lcsm/formula/simplify.h"
#include "runner/train/bench/bench_peers_sequence.h"

namespace runner {
namespace {

using at::Tensor;
using lcsm::Expr;

lcsm::RecurrenceInputs widened(const lcsm::RecurrenceInputs& in) {
  const at::ScalarType sums = lcsm::state_dtype(in.i.scalar_type());
  lcsm::RecurrenceInputs wide{in.i.to(sums), in.e.to(sums), in.s.to(sums), {}, {}};
  for (const auto& [symbol, tensor] : in.symbols) wide.symbols[symbol] = tensor.to(sums);
  return wide;
}

// e and s rotated by the cumulative angle, so that the memory need not be: [B, T, 2K].
struct Rotated {
  Tensor e, s;
};

// The angle is summed in float64: after 500 turns a float32 has lost four digits.
Rotated rotated(const lcsm::Variant& v, const lcsm::RecurrenceInputs& in, const Tensor& e,
                const Tensor& s) {
  const Tensor step = Sequence(v, in).whole(v.gate.angle).to(at::kDouble);
  const Tensor sum = step.dim() == 3 ? at::cumsum(step, 1)
                                     : at::arange(in.i.size(1), step.options()).unsqueeze(1) * step;
  const Tensor c = at::cos(sum).to(e.options()), n = at::sin(sum).to(e.options());
  return {at::cat({e * c, e * n}, -1), at::cat({s * c, s * n}, -1)};
}

class Loop {
 public:
  Loop(const lcsm::Variant& v, const lcsm::RecurrenceInputs& in)
      : v_(v), in_(in), sequence_(v, in), e_(in.e), s_(in.s), i_(in.i) {
    if (v.oscillation.matrix)
      erase_ = steps_along_k(sequence_.whole(v.gate.real));
    else
      prepare_gates();
    if (v.oscillation.scale) prepare_scale();
    if (v.gate.angle) {
      const Rotated both = rotated(v, in, e_, s_);
      e_ = both.e;
      s_ = both.s;
    }
  }

  Tensor run() {
    const Steps e = steps_along_k(e_), i = steps_of(i_, {false, true, true});
    const std::vector<Tensor> s =
        s_.dim() == 3 ? s_.unsqueeze(2).unbind(1) : std::vector<Tensor>();  // [B, 1, K]
    std::vector<Tensor> y;                                                  // T of [B, 1, D]
    for (std::int64_t t = 0; t < in_.i.size(1); ++t) {
      v_.oscillation.matrix ? erase_and_write(t, e(t), i(t)) : decay_and_write(t, e(t), i(t));
      y.push_back(s.empty() ? at::mul(m_, s_).sum(1, true)
                            : at::bmm(s[static_cast<std::size_t>(t)], m_));
    }
    return at::cat(y, 1);
  }

 private:
  static Steps steps_along_k(const Tensor& whole) {  // [B, K, 1], or static [K, D]
    return steps_of(whole, {true, whole.dim() == 2, whole.dim() == 3});
  }

  static bool is_there(const Expr& part) { return !lcsm::is_constant(part, 0); }

  void prepare_gates() {
    if (const auto parts = sequence_.log_parts())
      put_parts(*parts);
    else if (const Expr o = sequence_.gate(); sequence_.varies(o))
      gates_.push_back(sequence_.steps(o));
    else
      put(sequence_.whole(o), sequence_.type(o));
    if (v_.gate.cumulative) put(running_softmax(), sequence_.type(v_.gate.cumulative));
  }

  void put(const Tensor& gate, const lcsm::Type& type) {
    gates_.push_back(steps_of(gate, type));
    // Set for a scale that uses o, if o needs no tensor over k, d and time: one gate, or several
    // over the same axes.
    if (!sequence_.varies(lcsm::symbol(lcsm::parse_symbol("o"))))
      sequence_.set_gate(gates_.size() == 1 ? gate : sequence_.gate_whole() * gate);
  }

  // A part over time only is merged into another part; static parts over k and d become one.
  void put_parts(const lcsm::LogParts& parts) {
    const auto put_exp = [&](const Expr& log) {
      if (is_there(log)) put(at::exp(sequence_.whole(log)), sequence_.type(log));
    };
    const bool both = is_there(parts.k) && is_there(parts.d);
    const Expr all = lcsm::simplify(lcsm::add(lcsm::add(parts.k, parts.d), parts.time));
    if (!both || !sequence_.varies(all)) {
      put_exp(all);
    } else {
      put_exp(lcsm::simplify(lcsm::add(parts.k, parts.time)));
      put_exp(parts.d);
    }
  }

  // o_t = S_{t-1} / S_t, 0 at the start.
  Tensor running_softmax() const {
    const Tensor log_sum = at::logcumsumexp(sequence_.whole(v_.gate.cumulative), 1);
    const std::int64_t last = log_sum.size(1) - 1;
    const Tensor start = at::full({log_sum.size(0), 1, log_sum.size(2)}, 0, log_sum.options());
    const Tensor later = at::exp(log_sum.narrow(1, 0, last) - log_sum.narrow(1, 1, last));
    return at::cat({start, later}, 1);
  }

  void prepare_scale() {
    const Expr scale = lcsm::real_scale(v_);
    const lcsm::Type type = sequence_.type(scale);
    if (!type.d && !v_.e_static())
      e_ = e_ * sequence_.whole(scale);
    else if (!type.k)
      i_ = i_ * sequence_.whole(scale);
    else
      scale_ = sequence_.steps(scale);
  }

  // Updates the memory in place if there is no autograd.
  Tensor gated(const Tensor& m, const Tensor& gate) const {
    if (v_.gate.angle)  // once for the cosine rows, once for the sine rows
      return at::mul(m.view({m.size(0), 2, v_.sizes.k, v_.sizes.d}), gate.unsqueeze(-3))
          .view(m.sizes());
    return c10::GradMode::is_enabled() ? at::mul(m, gate) : m.mul_(gate);
  }

  // e_t, scaled: [B, K, 1], [B, K, D] or [K, D].
  Tensor written(std::int64_t t, const Tensor& e) {
    if (!scale_) return e;
    Tensor& o = sequence_.gate_now();
    o = Tensor();
    for (const Steps& gate : gates_) o = o.defined() ? at::mul(o, gate(t)) : gate(t);
    const Tensor scale = scale_(t);
    return at::mul(v_.gate.angle ? at::cat({scale, scale}, -2) : scale, e);
  }

  void decay_and_write(std::int64_t t, const Tensor& e, const Tensor& i) {
    const Tensor scaled = written(t, e);
    if (!m_.defined()) {
      m_ = at::mul(scaled, i);
      return;
    }
    for (const Steps& gate : gates_) m_ = gated(m_, gate(t));
    // A gate's result may be overwritten; without gates, autograd has saved m_.
    add_product(scaled, i, !gates_.empty() || !c10::GradMode::is_enabled());
  }

  // m - u (v^T m) + u i^T, u = scale e
  void erase_and_write(std::int64_t t, const Tensor& u, const Tensor& i) {
    if (!m_.defined())
      m_ = at::mul(u, i);
    else
      add_product(u, i - at::bmm(erase_(t).transpose(1, 2), m_), !c10::GradMode::is_enabled());
  }

  // m + e i^T
  void add_product(const Tensor& e, const Tensor& i, bool in_place) {
    if (e.size(-1) == 1 && e.dim() == 3)
      m_ = in_place ? m_.baddbmm_(e, i) : at::baddbmm(m_, e, i);
    else
      m_ = in_place ? m_.addcmul_(e, i) : at::addcmul(m_, e, i);
  }

  const lcsm::Variant& v_;
  const lcsm::RecurrenceInputs& in_;
  Sequence sequence_;
  Tensor e_, s_, i_;          // scaled and rotated
  std::vector<Steps> gates_;  // factors of o
  Steps scale_;               // over k and d together; null: already in e_ or i_
  Steps erase_;               // of a matrix oscillation: v
  Tensor m_;                  // [B, K, D]
};

}  // namespace

Tensor loop_over_time(const lcsm::Variant& v, const lcsm::RecurrenceInputs& in) {
  const lcsm::RecurrenceInputs wide = widened(in);
  const bool complex =
      !lcsm::plan_of(v).rotates && (v.is_complex() || v.oscillation.read != nullptr);
  return (complex ? complex_loop(v, wide) : Loop(v, wide).run()).to(in.i.scalar_type());
}

// Autograd saves the memory and the gate's operations of every step: seven tensors per step if o is
// a function of a logit, else fewer.
std::string loop_refusal(const lcsm::Variant& v, const lcsm::RecurrenceInputs& in) {
  if (v.gate.cumulative && lcsm::plan_of(v).machine == lcsm::Machine::kComplex)
    return "it has no running softmax of a complex memory";
  const double cells = static_cast<double>(v.sizes.k) * v.sizes.d * (v.gate.angle ? 2 : 1);
  const bool varies = Sequence(v, in).varies(v.gate.real) && !v.oscillation.matrix;
  return too_much(cells * static_cast<double>(in.i.size(0) * in.i.size(1)) * (varies ? 7 : 3),
                  widened(in).i);
}

std::string too_much(double count, const Tensor& x) {
  const double bytes = count * static_cast<double>(x.element_size());
  const auto free = static_cast<double>(lcsm::read_allowance().memory_free);
  if (bytes <= free) return "";
  return fmt::format("it needs up to {:.1f} GiB, but only {:.1f} GiB of memory are free",
                     bytes / (1 << 30), free / (1 << 30));
}

}  // namespace runner
