#include "lcsm/layer/recurrence_complex.h"

#include "lcsm/machines/scan_op.h"

namespace lcsm {
namespace {

// o, then, where there are weights, w and r: what multiplies e i and s m, with static e and s in
// it.
class Factors {
 public:
  Factors(const Variant& v, const RecurrenceInputs& in, const ComplexFormulas& formulas)
      : v_(v), formulas_(formulas), angle_(v.gate.angle ? formulas.plain(v.gate.angle) : nullptr) {
    const Oscillation& row = v.oscillation;
    put(angle_ ? multiply(formulas.size, call(Function::kRotate, {angle_})) : formulas.size);
    if (!row.scale && !row.read && !v.e_static() && !v.s_static()) return;
    put(product(v.e_static() ? symbol(static_e()) : nullptr, row.scale));
    Expr s = v.s_static() ? symbol(static_s()) : nullptr;
    if (s && in.s_imaginary.defined())
      s = call(Function::kComplex, {s, symbol(static_s_imaginary())});
    put(product(s, row.read));
  }

  std::int64_t parts() const { return angle_ ? 2 : 1; }
  std::vector<Expr> all;

 private:
  void put(const Expr& e) {
    const ComplexParts of = complex_parts(e);
    all.push_back(of.re);
    if (angle_) all.push_back(of.im ? of.im : number(0));
  }
  Expr product(const Expr& stage, const Expr& weight) const {
    if (!weight) return stage ? stage : number(1);
    const Expr by = with_gate(formulas_.plain(weight), formulas_.size, angle_);
    return stage ? multiply(stage, by) : by;
  }

  const Variant& v_;
  const ComplexFormulas& formulas_;
  const Expr angle_;
};

}  // namespace

RecurrenceResult recurrence_complex(const Variant& v, const RecurrenceInputs& in,
                                    const ComplexFormulas& formulas) {
  const Factors factors(v, in, formulas);
  const LoweredParts inside = lower(factors.all);
  ScanInputs scan;
  scan.K = v.sizes.k;
  scan.i = in.i;
  if (!v.e_static()) scan.e = in.e;
  if (!v.s_static()) scan.s = in.s;
  scan.m = in.state.m;
  std::vector<TapeLeaf> leaves;
  for (const Leaf& leaf : inside.leaves) {
    scan.leaves.push_back(formulas.leaf(leaf).to(in.i.scalar_type()));
    leaves.push_back({leaf.symbol, spread_of(leaf.type), true});
  }
  Tensors exact_o;
  const auto parts = static_cast<std::size_t>(factors.parts());
  bool is_static = true;
  for (std::size_t n = 0; n < parts; ++n) is_static = is_static && !type_of(factors.all[n]).data;
  for (std::size_t n = 0; n < parts && is_static; ++n)
    exact_o.push_back(formulas.cells(factors.all[n]).detach());
  const Tensors out =
      complex_scan_machine(std::make_shared<const Tape>(make_tape(inside.parts, leaves)), scan,
                           factors.parts(), exact_o);
  return {out[0], {out[1], {}}};
}

}  // namespace lcsm
