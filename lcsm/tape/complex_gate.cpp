#include "lcsm/tape/complex_gate.h"

#include "lcsm/formula/complex_parts.h"
#include "lcsm/tape/scan_gate.h"

namespace lcsm {
namespace {

class Factors {
 public:
  explicit Factors(const Variant& v)
      : v_(v), size_(with_tau(whole_gate(v).o, v)), angle_(with_tau(v.gate.angle, v)) {}

  std::size_t parts() const { return angle_ ? 2 : 1; }

  std::vector<Expr> all(bool imaginary_s) {
    put(angle_ ? multiply(size_, call(Function::kRotate, {angle_})) : size_);
    const Oscillation& row = v_.oscillation;
    if (!row.scale && !row.read && !v_.e_static() && !v_.s_static()) return all_;
    put(product(v_.e_static() ? symbol(static_e()) : nullptr, row.scale));
    Expr s = v_.s_static() ? symbol(static_s()) : nullptr;
    if (s && imaginary_s) s = call(Function::kComplex, {s, symbol(static_s_imaginary())});
    put(product(s, row.read));
    return all_;
  }

 private:
  void put(const Expr& e) {
    const ComplexParts of = complex_parts(e);
    all_.push_back(of.re);
    if (angle_) all_.push_back(of.im ? of.im : number(0));
  }
  Expr product(const Expr& stage, const Expr& weight) const {
    if (!weight) return stage ? stage : number(1);
    const Expr by = with_gate(with_tau(weight, v_), size_, angle_);
    return stage ? multiply(stage, by) : by;
  }

  const Variant& v_;
  const Expr size_, angle_;
  std::vector<Expr> all_;
};

}  // namespace

ComplexGate complex_gate(const Variant& v, bool imaginary_s) {
  Factors factors(v);
  ComplexGate gate{factors.all(imaginary_s), factors.parts(), {}, {}};
  gate.inside = lower(gate.formulas);
  std::vector<TapeLeaf> leaves;
  for (const Leaf& leaf : gate.inside.leaves)
    leaves.push_back({leaf.symbol, spread_of(leaf.type), true});
  gate.tape = make_tape(gate.inside.parts, leaves);
  return gate;
}

}  // namespace lcsm
