#include "lcsm/tape/scan_gate.h"

#include <algorithm>

#include "lcsm/formula/complex_parts.h"
#include "lcsm/formula/logarithm.h"

namespace lcsm {
namespace {

// A projection comes from a product in bfloat16, so leaving it in bfloat16 loses nothing.
bool is_projection(const Expr& e) { return e->op == Op::kSymbol && stem_of(e->symbol).name == "p"; }

}  // namespace

Symbol running_softmax_log(const Variant& variant) {
  Symbol log = running_softmax_log();
  const Type type = type_of(variant.gate.cumulative);
  log.axes = type.k ? Axes::kK : type.d ? Axes::kD : Axes::kNone;
  return log;
}

WholeGate whole_gate(const Variant& v) {
  const std::optional<Expr> log = log_of(v.gate.real);
  const Expr softmax = v.gate.cumulative ? symbol(running_softmax_log(v)) : nullptr;
  if (!log)
    return {softmax ? multiply(v.gate.real, call(Function::kExp, {softmax})) : v.gate.real,
            nullptr};
  const Expr whole = softmax ? add(*log, softmax) : *log;
  return {call(Function::kExp, {whole}), whole};
}

ScalePlace scale_place(const Variant& v) {
  const Expr& by = v.oscillation.scale;
  if (!by) return ScalePlace::kNowhere;
  const Type type = type_of(with_gate(by, v.o()));
  if (type.d && !type.k) return ScalePlace::kInput;
  if (!type.d && !v.e_static()) return ScalePlace::kWrite;
  if (!type.data && v.e_static()) return ScalePlace::kWrite;
  return ScalePlace::kInside;
}

Expr real_scale(const Variant& v) {
  const Expr& by = v.oscillation.scale;
  if (!by || !v.is_complex()) return by;
  return complex_parts(with_gate(by, symbol(parse_symbol("o")), v.gate.angle)).re;
}

ScanGate scan_gate(const Variant& v, bool one_row) {
  const WholeGate gate = whole_gate(v);
  const bool scales = scale_place(v) == ScalePlace::kInside;
  ScanGate made{lower(with_tau(gate.o, v), with_tau(gate.log, v),
                      with_tau(scales ? real_scale(v) : nullptr, v), one_row),
                {}};
  std::vector<TapeLeaf> leaves;
  for (const Leaf& leaf : made.inside.leaves)
    leaves.push_back({leaf.symbol, spread_of(leaf.type), true});
  if (made.inside.w)
    leaves.push_back({written_e(), v.e_static() ? Spread::kChannels : Spread::kSteps, true});
  made.tape = make_tape(made.inside.o, made.inside.w, leaves);
  made.tape.exact = std::ranges::any_of(made.inside.leaves, [](const Leaf& leaf) {
    return leaf.type.data && !is_projection(leaf.formula);
  });
  return made;
}

}  // namespace lcsm
