#include "runner/systems/eos_parts.h"

#include <stdexcept>

#include "lcsm/code/plan.h"
#include "lcsm/formula/simplify.h"

namespace runner {
namespace {

using lcsm::Axes;
using lcsm::Expr;
using lcsm::Symbol;

std::string text(std::int64_t number) { return std::to_string(number); }

[[noreturn]] void refuse(const std::string& what) { throw std::invalid_argument(what); }

// A number above those that formulas may have.
constexpr int kBatched = 1000;

}  // namespace

StageNorm stage_norm_of(std::string_view word) {
  return word == "l2" ? StageNorm::kL2 : word == "rms" ? StageNorm::kRms : StageNorm::kNone;
}
OutputNorm output_norm_of(std::string_view word) {
  return word == "layer" ? OutputNorm::kHeadLayer
         : word == "rms" ? OutputNorm::kHeadRms
                         : OutputNorm::kLayer;
}
OutputGate output_gate_of(std::string_view word) {
  return word == "identity"  ? OutputGate::kIdentity
         : word == "silu"    ? OutputGate::kSilu
         : word == "sigmoid" ? OutputGate::kSigmoid
                             : OutputGate::kNone;
}

bool EosParts::is_plain() const {
  return heads == 1 && taps == 0 && stage_norm == StageNorm::kNone && !scaled && !bonus && !skip &&
         !decays && norm == OutputNorm::kLayer && gate == OutputGate::kNone && biases.empty() &&
         !of_heads && d == variant.sizes.d;
}

lcsm::Sizes EosParts::head_sizes() const {
  return {variant.sizes.d / heads, shares_stages ? variant.sizes.k : variant.sizes.k / heads};
}

void check_parts(const EosParts& p) {
  const lcsm::Variant& v = p.variant;
  for (const auto& [size, name] : {std::pair{v.sizes.d, "d"}, {v.sizes.k, "k"}})
    if (size % p.heads != 0 && !(p.shares_stages && *name == 'k'))
      refuse("heads: expected a divisor of " + std::string(name) + " = " + text(size) + ", got " +
             text(p.heads));
  const bool of_input = !v.e_static() && !v.s_static();
  if (p.stage_norm != StageNorm::kNone && !of_input)
    refuse("qk_norm: expected a code with e and s from the input (1-o-1-a), got one with static " +
           std::string(v.e_static() ? "e" : "s"));
  if (p.bonus && !of_input)
    refuse("bonus: expected a code with e and s from the input (1-o-1-a), got one with static " +
           std::string(v.e_static() ? "e" : "s"));
}

bool is_static_symbol(const Symbol& s) {
  const std::string_view stem = lcsm::stem_of(s).name;
  return stem == "w" || stem == "slope" || stem == "theta" || stem == "index";
}

Symbol batched_symbol(const Symbol& s) {
  Symbol data = lcsm::parse_symbol("p");
  data.axes = s.axes;
  data.number = kBatched * (s.stem + 1) + s.number;
  return data;
}

bool can_batch_heads(const EosParts& p) {
  if (p.variant.e_static() || p.variant.s_static()) return false;
  for (const Symbol& s : lcsm::gate_symbols(p.variant))
    if (is_static_symbol(s) && s.axes == Axes::kKD) return false;
  return true;
}

lcsm::Variant head_variant(const EosParts& p, bool batched) {
  lcsm::Variant v = p.variant;
  v.sizes = p.head_sizes();
  if (!batched) return v;
  const auto as_data = [](const Expr& e) -> Expr {
    if (!e) return e;
    return lcsm::substitute(e, [](const Symbol& s) -> Expr {
      if (!is_static_symbol(s)) return nullptr;
      const Expr data = lcsm::symbol(batched_symbol(s));
      // The plan must know that static values are assumed nonnegative.
      return lcsm::stem_of(s).name == "w" ? data : lcsm::call(lcsm::Function::kAbs, {data});
    });
  };
  lcsm::Oscillation& o = v.oscillation;
  for (Expr* each : {&o.o, &o.fixed, &o.scale, &o.read}) *each = as_data(*each);
  if (o.matrix)
    v.gate.real = v.o();
  else
    v.gate = lcsm::gate_of(v.o());
  return v;
}

EosCost cost_of(const EosParts& p) {
  const lcsm::Cost one = lcsm::cost_of(head_variant(p, p.heads > 1 && can_batch_heads(p)));
  const auto d = static_cast<double>(p.variant.sizes.d), k = static_cast<double>(p.variant.sizes.k);
  EosCost cost;
  cost.kept = 8 * d + 4 * k;
  for (const lcsm::Parameter& tensor : tensors_of(p))
    if (tensor.name.ends_with(".weight") && tensor.shape.size() == 2)
      cost.flops += 2 * static_cast<double>(tensor.count());
  cost.flops += static_cast<double>(p.heads * one.recurrence_flops);
  if (p.taps > 0) cost.kept += static_cast<double>(p.taps + 1) * (d + 2 * k);
  if (p.stage_norm != StageNorm::kNone) cost.kept += 4 * k;
  if (p.bonus) cost.kept += 4 * k + 2 * d;
  if (p.gate != OutputGate::kNone) cost.kept += 4 * d;
  return cost;
}

}  // namespace runner
