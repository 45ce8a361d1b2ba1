#include "lcsm/layer/compiled.h"

#include <algorithm>

#include "lcsm/cuda/cuda_machine.h"
#include "lcsm/formula/logarithm.h"
#include "lcsm/formula/range.h"

namespace lcsm {
namespace {

std::vector<CompiledLeaf> compiled(const std::vector<Leaf>& leaves, const Variant& v) {
  std::vector<CompiledLeaf> all;
  for (const Leaf& leaf : leaves) {
    CompiledLeaf made{leaf.type, leaf.formula, std::nullopt};
    if (leaf.type.data && !(leaf.type.k && leaf.type.d)) made.over_data.emplace(leaf.formula, v);
    all.push_back(std::move(made));
  }
  return all;
}

CompiledScan compiled_scan(ScanGate gate, const Variant& v) {
  return {std::make_shared<const Tape>(std::move(gate.tape)), compiled(gate.inside.leaves, v),
          gate.inside.w != nullptr};
}

CompiledComplexScan compiled_complex(const Variant& v, bool imaginary_s) {
  ComplexGate gate = complex_gate(v, imaginary_s);
  CompiledComplexScan scan{
      std::make_shared<const Tape>(std::move(gate.tape)),
      compiled(gate.inside.leaves, v),
      gate.parts,
      {gate.formulas.begin(), gate.formulas.begin() + static_cast<std::ptrdiff_t>(gate.parts)}};
  for (const Expr& part : scan.static_o)
    if (type_of(part).data) return scan.static_o.clear(), scan;
  return scan;
}

// The leaf over cells that is this formula; -1 = none.
int leaf_of(const DataFormula& formula, const std::vector<CompiledLeaf>& leaves) {
  const auto found = std::find_if(leaves.begin(), leaves.end(), [&](const CompiledLeaf& leaf) {
    return leaf.type.d && leaf.over_data && equal(leaf.over_data->plain, formula.plain);
  });
  return found == leaves.end() ? -1 : static_cast<int>(found - leaves.begin());
}

}  // namespace

DataFormula::DataFormula(const Expr& e, const Variant& v) : plain(with_tau(e, v)) {
  const Type type = type_of(plain);  // symbols over the data may have canceled
  if (type.data && plain->op != Op::kSymbol)
    in_one_pass.emplace(plain, type.k ? v.sizes.k : type.d ? v.sizes.d : 1);
}

Compiled::Compiled(const Variant& variant)
    : v(variant), plan(plan_of(v)), symbols(given_symbols(v)), scale_place(lcsm::scale_place(v)) {
  if (v.oscillation.matrix) {
    erased.emplace(v.gate.real, v);
    if (v.oscillation.scale) scale.emplace(v.oscillation.scale, v);
    return;
  }
  if (v.gate.cumulative) softmax.emplace(Decay{type_of(v.gate.cumulative), {v.gate.cumulative, v}});
  if (plan.machine == Machine::kModes) {
    const std::optional<Expr> log_o = log_of(v.gate.real);
    modes.emplace(ModesFormulas{log_o.value_or(nullptr), weight_parts(v.oscillation.scale, v.o()),
                                weight_parts(v.oscillation.read, v.o())});
  }
  if (v.oscillation.read || (v.is_complex() && !plan.rotates)) {
    complex[0].emplace(compiled_complex(v, false));
    if (v.is_complex() && v.s_static()) complex[1].emplace(compiled_complex(v, true));
    return;
  }
  scan.emplace(compiled_scan(scan_gate(v), v));
  if (v.sizes.k == 1) scan_of_a_row.emplace(compiled_scan(cuda_scan_gate(v, plan), v));
  if (plan.parts)
    for (const auto& [type, part] : {std::pair{Type{}, plan.parts->time},
                                     {Type{.k = true}, plan.parts->k},
                                     {Type{.d = true}, plan.parts->d}}) {
      if (!is_constant(part, 0)) decays.push_back({type, {part, v}});
      may_grow = may_grow || range_of(part).high.value > 0;
    }
  if (scale_place == ScalePlace::kNowhere || scale_place == ScalePlace::kInside) return;
  const Expr by = substitute(real_scale(v), [&](const Symbol& s) {
    return stem_of(s).name == "o" ? whole_gate(v).o : nullptr;
  });
  if (scale_place == ScalePlace::kWrite && v.e_static())
    static_scale = by;
  else
    scale.emplace(by, v);
  if (scale_place == ScalePlace::kInput) scan->scaled_by = leaf_of(*scale, scan->leaves);
}

Machine Compiled::on_a_gpu() const {
  std::call_once(once_, [this] { cuda_machine_ = cuda_machine_of(v, plan); });
  return cuda_machine_;
}

}  // namespace lcsm
