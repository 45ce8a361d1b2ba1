#include "runner/train/trainer/gate_facts.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/logcumsumexp.h>
#include <ATen/ops/masked_select.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros_like.h>

#include <algorithm>
#include <cmath>
#include <variant>

#include "ets/families/family.h"
#include "lcsm/formula/logarithm.h"
#include "lcsm/formula/range.h"
#include "lcsm/tensors/tensor_formula.h"
#include "runner/systems/blocks.h"

namespace runner {
namespace {

using at::Tensor;
using lcsm::Axes;
using lcsm::Expr;
using lcsm::RecurrenceInputs;
using lcsm::Symbol;

constexpr std::int64_t kMostValues = std::int64_t{1} << 22;
constexpr int kMostCells = 64;  // of a floor

bool is_data(const Symbol& s) { return lcsm::stem_of(s).source == lcsm::Source::kData; }

// ----- Recurrences -----

// |o_t|, [B, T, K, D]; axes along which it is constant are missing or have size 1.
class GateValues {
 public:
  GateValues(const lcsm::Variant& variant, const RecurrenceInputs& in) : v_(variant), in_(in) {
    const lcsm::Type type = lcsm::type_of(v_.gate.real);
    const std::int64_t values =
        in.i.size(0) * in.i.size(1) * (type.k ? v_.sizes.k : 1) * (type.d ? v_.sizes.d : 1);
    stride_ = (values + kMostValues - 1) / kMostValues;
  }

  // Undefined: a matrix without a decay of its own.
  Tensor values() const {
    if (v_.oscillation.matrix)
      return in_.log_decay.defined() ? at::exp(of_steps(in_.log_decay, Axes::kNone, stride_))
                                     : Tensor();
    const std::optional<Expr> log_o = lcsm::log_of(v_.gate.real);
    const Tensor size =
        log_o ? at::exp(evaluated(*log_o, stride_)) : evaluated(v_.gate.real, stride_).abs();
    return v_.gate.cumulative ? size * running_softmax() : size;
  }

  // Without the steps that are padding.
  Tensor values(const Tensor& padding) const {
    const Tensor all = values();
    if (!all.defined() || !padding.defined() || all.dim() < 4) return all;
    const Tensor seen = of_steps(padding.logical_not(), Axes::kNone, stride_);
    return at::masked_select(all, seen.expand_as(all));
  }

  // The least value for any data, averaged over cells; NaN if the gate does not depend on data.
  double floor() const {
    if (v_.oscillation.matrix || v_.gate.cumulative || !lcsm::type_of(v_.gate.real).data)
      return NAN;
    const std::int64_t cells = std::int64_t{v_.sizes.k} * v_.sizes.d;
    const std::int64_t count = std::min<std::int64_t>(cells, kMostCells);
    double sum = 0;
    for (std::int64_t n = 0; n < count; ++n) {
      const std::int64_t cell = n * cells / count;
      const Expr known = lcsm::substitute(v_.gate.real, [&](const Symbol& s) {
        return number_at(s, cell / v_.sizes.d, cell % v_.sizes.d);
      });
      sum += std::max(0.0, lcsm::range_of(known).low.value);
    }
    return sum / static_cast<double>(count);
  }

 private:
  static Tensor of_steps(const Tensor& data, Axes axes, std::int64_t stride) {
    const Tensor some = data.slice(1, 0, data.size(1), stride);
    if (axes == Axes::kNone) return some.unsqueeze(2).unsqueeze(3);
    return axes == Axes::kK ? some.unsqueeze(3) : some.unsqueeze(2);
  }

  Tensor evaluated(const Expr& formula, std::int64_t stride) const {
    return lcsm::evaluate_tensor(
        formula,
        [&](const Symbol& s) {
          if (lcsm::stem_of(s).name == "tau") return at::scalar_tensor(v_.tau(), in_.i.options());
          if (lcsm::stem_of(s).name == "e")
            return in_.e.dim() == 2 ? in_.e : of_steps(in_.e, Axes::kK, stride);
          const Tensor& tensor = in_.symbols.at(s);
          if (is_data(s)) return of_steps(tensor, s.axes, stride);
          return tensor.dim() == 1 && s.axes == Axes::kK ? tensor.unsqueeze(1) : tensor;
        },
        in_.i.options());
  }

  // S_{t-1} / S_t; 0 at the first step.
  Tensor running_softmax() const {
    const Tensor sum = at::logcumsumexp(evaluated(v_.gate.cumulative, 1), 1);
    const std::int64_t T = sum.size(1);
    const Tensor later = at::exp(sum.narrow(1, 0, T - 1) - sum.narrow(1, 1, T - 1));
    return at::cat({at::zeros_like(sum.narrow(1, 0, 1)), later}, 1).slice(1, 0, T, stride_);
  }

  Expr number_at(const Symbol& s, std::int64_t k, std::int64_t d) const {
    if (lcsm::stem_of(s).name == "tau") return lcsm::number(v_.tau());
    const auto found = in_.symbols.find(s);
    if (is_data(s) || found == in_.symbols.end()) return nullptr;
    Tensor value = found->second;
    if (value.dim() == 2) value = value.select(0, k);
    if (value.dim() == 1) value = value.select(0, s.axes == Axes::kK ? k : d);
    return lcsm::number(value.item<double>());
  }

  const lcsm::Variant& v_;
  const RecurrenceInputs& in_;
  std::int64_t stride_ = 1;
};

// Slices each tensor of [rows, steps, ...]; the others stay.
template <class Slice>
RecurrenceInputs sliced(RecurrenceInputs in, const Slice& slice) {
  in.i = slice(in.i);
  if (in.e.dim() == 3) in.e = slice(in.e);
  if (in.s.dim() == 3) in.s = slice(in.s);
  if (in.log_decay.defined()) in.log_decay = slice(in.log_decay);
  for (auto& [symbol, value] : in.symbols)
    if (is_data(symbol)) value = slice(value);
  return in;
}

// Head h of H, if the batch's rows are the heads of each example.
RecurrenceInputs of_head(const RecurrenceInputs& in, std::int64_t h, std::int64_t H) {
  return sliced(in, [&](const Tensor& x) { return x.slice(0, h, x.size(0), H); });
}

RecurrenceInputs between(const RecurrenceInputs& in, std::int64_t from, std::int64_t to) {
  return sliced(in, [&](const Tensor& x) { return x.narrow(1, from, to - from); });
}

// Sums over cells, means over examples. A complex cell is a pair of numbers.
double norm_of(const Tensor& state) {
  const Tensor flat = state.flatten(1).to(at::kDouble);
  return (flat * flat).sum(1).sqrt().mean().item<double>();
}

double volume_of(const Tensor& state) {
  const Tensor cells = state.to(at::kDouble);
  const bool is_complex = cells.dim() == 4;
  const Tensor sizes = is_complex ? (cells * cells).sum(3).sqrt() : cells.abs();
  return sizes.flatten(1).sum(1).mean().item<double>();
}

// A complex state of a recurrence has 2K rows: the real ones, then the imaginary ones.
Tensor in_pairs(const Tensor& m, std::int64_t K) {
  return m.size(1) == K ? m : at::stack({m.narrow(1, 0, K), m.narrow(1, K, K)}, 3);
}

// Records the state over T steps, computed by `go_on(from, to)`.
template <class GoOn>
void follow_state(std::int64_t T, bool volumes, const GoOn& go_on, GateFacts* facts) {
  facts->norms = {NAN, NAN, NAN};
  std::int64_t from = 0;
  Tensor state;
  for (std::size_t i = 0; i < kStateTimes.size(); ++i) {
    const auto end = static_cast<std::int64_t>(kStateTimes[i] * static_cast<double>(T));
    while (from < end) {
      const std::int64_t to = volumes ? from + 1 : end;
      state = go_on(from, to);
      from = to;
      if (volumes) facts->volumes.push_back(state.defined() ? volume_of(state) : NAN);
    }
    if (state.defined()) facts->norms[i] = norm_of(state);
  }
}

// ----- Filters -----

Tensor log_decays(const ets::Filter& filter) {
  if (const auto* modes = std::get_if<ets::Modes>(&filter.kernel)) return modes->log_decay;
  if (const auto* shared = std::get_if<ets::SharedModes>(&filter.kernel)) return shared->log_decay;
  return {};
}

// The state of the filter's modes as if the kernel were infinite; undefined for a filter without
// modes.
Tensor state_after(const ets::Filter& filter, const Tensor& x, lcsm::BlockState* state) {
  *state = ets::filtered_reference(filter, x, *state).state;
  const auto found = state->find("modes");
  return found == state->end() ? Tensor() : found->second;
}

// ----- What both report -----

void summarize(const Tensor& values, GateFacts* facts) {
  facts->mean = facts->near_zero = facts->near_one = facts->floor = NAN;
  facts->quantiles = {NAN, NAN, NAN};
  if (!values.defined() || values.numel() == 0) return;
  const Tensor sorted = std::get<0>(values.flatten().to(at::kDouble).sort());
  const double last = static_cast<double>(sorted.numel() - 1);
  for (std::size_t i = 0; i < kGateQuantiles.size(); ++i) {
    const double place = kGateQuantiles[i] * last, below = std::floor(place);
    const auto at = [&](double n) {
      return sorted.select(0, static_cast<std::int64_t>(n)).item<double>();
    };
    facts->quantiles[i] = at(below) + (place - below) * (at(std::ceil(place)) - at(below));
  }
  facts->mean = sorted.mean().item<double>();
  facts->near_zero = (sorted < 0.01).to(at::kDouble).mean().item<double>();
  facts->near_one = (sorted > 0.99).to(at::kDouble).mean().item<double>();
}

class GateWatch {
 public:
  GateWatch(const Model& model, const Inputs& inputs, bool volumes)
      : model_(model), inputs_(inputs), volumes_(volumes) {}

  std::vector<GateFacts> watch() {
    Model watched = model_;
    watched.before_mixers([this](std::size_t layer) { layer_ = layer; });
    const lcsm::RecurrenceObserver recurrences(
        [this](const lcsm::Recurrence& recurrence, const RecurrenceInputs& in) {
          see(recurrence, in);
        });
    const ets::FilterObserver filters(
        [this](const ets::Filter& filter, const Tensor& x) { see(filter, x); });
    Dropout none;
    watched.hidden(inputs_, none);
    for (GateFacts& each : facts_) {
      const auto same = [&](const GateFacts& other) { return other.layer == each.layer; };
      each.parts = static_cast<std::size_t>(std::ranges::count_if(facts_, same));
    }
    return std::move(facts_);
  }

 private:
  void see(const lcsm::Recurrence& recurrence, const RecurrenceInputs& in) {
    const std::int64_t B = inputs_.values.size(0), H = std::max<std::int64_t>(1, in.i.size(0) / B);
    for (std::int64_t h = 0; h < H; ++h) {
      const RecurrenceInputs head = H == 1 ? in : of_head(in, h, H);
      const GateValues gate(recurrence.variant(), head);
      const bool as_given = in.i.size(0) == B * H && in.i.size(1) == inputs_.length();
      GateFacts& facts = added(false);
      summarize(gate.values(as_given ? inputs_.padding : Tensor()), &facts);
      facts.floor = floor_of_block(gate.floor());
      lcsm::State state;
      const auto go_on = [&](std::int64_t from, std::int64_t to) {
        RecurrenceInputs part = between(head, from, to);
        part.state = state;
        state = recurrence(part).state;
        return in_pairs(state.m, recurrence.variant().sizes.k);
      };
      follow_state(head.i.size(1), volumes_, go_on, &facts);
    }
  }

  void see(const ets::Filter& filter, const Tensor& x) {
    GateFacts& facts = added(true);
    const Tensor log = log_decays(filter);
    summarize(log.defined() ? at::exp(log) : log, &facts);
    facts.norms = {NAN, NAN, NAN};
    const std::optional<ets::Filter> endless = with_state(filter);
    if (!endless) return;
    lcsm::BlockState state;
    const auto go_on = [&](std::int64_t from, std::int64_t to) {
      return state_after(*endless, x.narrow(1, from, to - from), &state);
    };
    follow_state(x.size(1), volumes_, go_on, &facts);
  }

  // As if the kernel were infinite; for S4, the matrix of the kernel. The first of two directions.
  std::optional<ets::Filter> with_state(const ets::Filter& filter) const {
    ets::Filter endless = filter;
    if (std::holds_alternative<ets::Taps>(filter.kernel)) {
      bool found = false;
      if (layer_ >= model_.plan().blocks.size()) return std::nullopt;
      const lcsm::Weights& weights = model_.layers()[layer_].at("mixer");
      ets::Families::visit(model_.plan().blocks[layer_].mixer, [&](const auto& family) {
        if constexpr (requires { family.state_space(weights); }) {
          endless = family.state_space(weights);
          found = true;
        }
      });
      if (!found) return std::nullopt;
    }
    endless.truncation = 0;
    endless.normalized = false;
    if (auto* modes = std::get_if<ets::Modes>(&endless.kernel)) {
      modes->weight = modes->weight.narrow(0, 0, 1);
      if (modes->weight_imag.defined()) modes->weight_imag = modes->weight_imag.narrow(0, 0, 1);
    }
    if (auto* space = std::get_if<ets::StateSpace>(&endless.kernel))
      space->c = space->c.narrow(0, 0, 1);
    return endless;
  }

  GateFacts& added(bool is_filter) {
    const std::size_t before =
        facts_.empty() || facts_.back().layer != layer_ ? 0 : facts_.back().part + 1;
    facts_.push_back({.layer = layer_, .part = before, .is_filter = is_filter});
    return facts_.back();
  }

  // A block may bound the decays that it gives as data.
  double floor_of_block(double of_gate) const {
    if (layer_ >= model_.plan().blocks.size()) return of_gate;
    const lcsm::Weights& weights = model_.layers()[layer_].at("mixer");
    Blocks::visit(model_.plan().blocks[layer_].mixer, [&](const auto& block) {
      if constexpr (requires { block.least_decay(weights); })
        of_gate = block.least_decay(weights).mean().template item<double>();
    });
    return of_gate;
  }

  const Model& model_;
  const Inputs& inputs_;
  bool volumes_;
  std::size_t layer_ = 0;
  std::vector<GateFacts> facts_;
};

}  // namespace

std::vector<GateFacts> gate_facts(const Model& model, const Inputs& inputs, bool volumes) {
  const at::NoGradGuard raw;
  return GateWatch(model, inputs, volumes).watch();
}

}  // namespace runner
