// The recurrence as matrix products over chunks of steps, or over the whole sequence: scores
// s_t . e_u below the diagonal within a chunk, a state from chunk to chunk.
#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/baddbmm.h>
#include <ATen/ops/bmm.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/cumsum.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/reciprocal.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/tril.h>
#include <ATen/ops/zeros_like.h>

#include <algorithm>

#include "lcsm/code/plan.h"
#include "lcsm/formula/simplify.h"
#include "runner/train/bench/bench_peers.h"
#include "runner/train/bench/bench_peers_sequence.h"

namespace runner {
namespace {

using at::Tensor;
using lcsm::Expr;

// A decay along one axis, b_t = log o_1 + ... + log o_t within each chunk. Scores need
// exp(b_t - b_u), a scale of rows times a scale of columns; both are relative to the middle of the
// chunk, which keeps their range small.
struct Decay {
  Tensor rows, columns;  // exp(b - middle), exp(middle - b): [B, N, C, X], or static [1, 1, C, X]
  Tensor before, after;  // exp(middle), exp(last - middle): [B, N, X], [1, 1, X]
  Tensor chunk;          // exp(last)
};

class Chunks {
 public:
  Chunks(const lcsm::Variant& v, const lcsm::RecurrenceInputs& in, std::int64_t length)
      : v_(v),
        in_(in),
        sequence_(v, in),
        B_(in.i.size(0)),
        T_(in.i.size(1)),
        C_(length == 0 ? T_ : std::min(length, T_)),
        N_((T_ + C_ - 1) / C_) {
    const lcsm::LogParts parts = *sequence_.log_parts();
    log_k_ = parts.k;
    log_d_ = lcsm::simplify(lcsm::add(parts.d, parts.time));
  }

  Tensor run() {
    Tensor e = in_.e, i = in_.i, s = in_.s;
    if (v_.oscillation.scale) apply_scale(e, i);
    if (v_.gate.angle) {
      const Rotated both = rotated(v_, in_, e, s);
      e = both.e;
      s = both.s;
    }
    const Decay k = doubled(decay_of(log_k_)), d = decay_of(log_d_);
    const Tensor q = flat(scaled(cut(s), k.rows)), w = flat(scaled(cut(e), k.columns)),
                 x = flat(scaled(cut(i), d.columns));  // [B N, C, ...]
    const Tensor scores = at::bmm(q, w.transpose(1, 2)).tril();
    const Tensor y =
        N_ == 1 ? at::bmm(scores, x) : at::baddbmm(at::bmm(q, states(w, x, k, d)), scores, x);
    return scaled(y.view({B_, N_, C_, -1}), d.rows).reshape({B_, N_ * C_, -1}).narrow(1, 0, T_);
  }

  // The largest exponent in a scale.
  double largest_exponent() const {
    double largest = 0;
    for (const Expr& log : {log_k_, log_d_}) {
      if (lcsm::is_constant(log, 0)) continue;
      const Tensor b = summed(log);
      largest = std::max(largest, (b - middle(b)).abs().max().item<double>());
    }
    return largest;
  }

 private:
  // [B, T, X] in chunks, padded with zeros.
  Tensor cut(const Tensor& x) const {
    const std::int64_t missing = N_ * C_ - T_;
    const Tensor full = missing == 0 ? x : at::constant_pad_nd(x, {0, 0, 0, missing});
    return full.reshape({B_, N_, C_, x.size(2)});
  }

  static Tensor flat(const Tensor& x) { return x.reshape({-1, x.size(2), x.size(3)}); }
  static Tensor scaled(const Tensor& x, const Tensor& scale) {
    return scale.defined() ? x * scale : x;
  }

  // `o` in a scale is exp(log o). It varies over one axis, or else the scale would vary over both.
  void apply_scale(Tensor& e, Tensor& i) {
    const Expr& scale = v_.oscillation.scale;
    const std::vector<lcsm::Symbol> used = lcsm::symbols_of(scale);
    if (std::find(used.begin(), used.end(), lcsm::parse_symbol("o")) != used.end())
      sequence_.set_gate(at::exp(sequence_.whole(lcsm::simplify(lcsm::add(log_k_, log_d_)))));
    Tensor& into = sequence_.type(scale).d ? i : e;
    into = into * sequence_.whole(scale);
  }

  Tensor summed(const Expr& log) const {
    const Tensor step = sequence_.whole(log);
    if (step.dim() == 3) return at::cumsum(cut(step), 2);
    return (at::arange(1, C_ + 1, step.options()).unsqueeze(1) * step).view({1, 1, C_, -1});
  }

  // Any reference point would do, so this one needs no gradient.
  Tensor middle(const Tensor& b) const { return b.detach().narrow(2, C_ / 2, 1); }

  Decay decay_of(const Expr& log) const {
    if (lcsm::is_constant(log, 0)) return {};
    const Tensor b = summed(log), m = middle(b);
    Decay decay;
    decay.rows = at::exp(b - m);
    decay.columns = at::reciprocal(decay.rows);
    if (N_ == 1) return decay;
    const Tensor last = b.select(2, C_ - 1);
    decay.before = at::exp(m.squeeze(2));
    decay.after = at::exp(last - m.squeeze(2));
    decay.chunk = at::exp(last);
    return decay;
  }

  // Under a rotation: once for the cosine rows and once for the sine rows.
  Decay doubled(Decay decay) const {
    if (v_.gate.angle)
      for (Tensor* part : {&decay.rows, &decay.columns, &decay.before, &decay.after, &decay.chunk})
        if (part->defined() && part->size(-1) > 1) *part = at::cat({*part, *part}, -1);
    return decay;
  }

  static Tensor across(const Tensor& x, const Tensor& k, const Tensor& d) {
    return scaled(scaled(x, k.defined() ? k.unsqueeze(3) : k), d.defined() ? d.unsqueeze(2) : d);
  }

  // The memory before each chunk, scaled for the chunk's rows: [B N, K, D].
  Tensor states(const Tensor& w, const Tensor& x, const Decay& k, const Decay& d) const {
    const Tensor products = at::bmm(w.transpose(1, 2), x).view({B_, N_, w.size(2), x.size(2)});
    const std::vector<Tensor> added = across(products, k.after, d.after).unbind(1);
    const auto steps = [](const Tensor& t, int axis) {
      return t.defined() ? t.unsqueeze(axis).unbind(1) : std::vector<Tensor>();
    };
    const std::vector<Tensor> by_k = steps(k.chunk, 3), by_d = steps(d.chunk, 2);
    const auto at = [](const std::vector<Tensor>& t, std::size_t n) {
      return t.empty() ? Tensor() : t[t.size() == 1 ? 0 : n];
    };
    std::vector<Tensor> states = {at::zeros_like(added[0])};
    for (std::size_t n = 0; n + 1 < added.size(); ++n)
      states.push_back(n == 0 ? added[0]
                              : added[n] + scaled(scaled(states[n], at(by_k, n)), at(by_d, n)));
    return flat(across(at::stack(states, 1), k.before, d.before));
  }

  const lcsm::Variant& v_;
  const lcsm::RecurrenceInputs& in_;
  Sequence sequence_;
  const std::int64_t B_, T_, C_, N_;  // chunks of C_ steps, N_ of them
  Expr log_k_, log_d_;                // log o; a part over time only is added to d's
};

}  // namespace

bool has_chunks(const lcsm::Variant& variant) {
  const lcsm::Plan plan = lcsm::plan_of(variant);
  return plan.machine == lcsm::Machine::kChunk && !plan.cumulative;
}

Tensor in_chunks(const lcsm::Variant& v, const lcsm::RecurrenceInputs& in, std::int64_t length) {
  return Chunks(v, in, length).run();
}

std::string chunks_refusal(const lcsm::Variant& v, const lcsm::RecurrenceInputs& in,
                           std::int64_t length) {
  const std::int64_t B = in.i.size(0), T = in.i.size(1);
  const double scores =
      static_cast<double>(B * T) * static_cast<double>(length == 0 ? T : std::min(length, T));
  // Scores, those below the diagonal, and the gradients of both.
  if (const std::string refusal = too_much(4 * scores, in.i); !refusal.empty()) return refusal;
  // exp overflows above 88 in float32 and above 709 in float64; the margin is for what the scales
  // multiply.
  const double most = in.i.scalar_type() == at::kDouble ? 690 : 80;
  if (Chunks(v, in, length).largest_exponent() > most)
    return "its scales would exceed the dtype's range";
  return "";
}

}  // namespace runner
