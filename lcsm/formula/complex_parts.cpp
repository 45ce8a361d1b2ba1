#include "lcsm/formula/complex_parts.h"

#include "lcsm/formula/simplify.h"

namespace lcsm {
namespace {

constexpr double kMostFactors = 8;
constexpr std::size_t kMostComplexParts =
    2048;  // of both formulas: each product of two has four terms

Expr real_call(Function f, Expr x) { return call(f, {std::move(x)}); }

ComplexParts sum(const ComplexParts& a, const ComplexParts& b) {
  return {add(a.re, b.re), !a.im ? b.im : !b.im ? a.im : add(a.im, b.im)};
}
ComplexParts negated(const ComplexParts& a) {
  return {negate(a.re), a.im ? negate(a.im) : nullptr};
}
ComplexParts product(const ComplexParts& a, const ComplexParts& b) {
  if (!a.im && !b.im) return {multiply(a.re, b.re), nullptr};
  if (!a.im) return {multiply(a.re, b.re), multiply(a.re, b.im)};
  if (!b.im) return {multiply(a.re, b.re), multiply(a.im, b.re)};
  return {subtract(multiply(a.re, b.re), multiply(a.im, b.im)),
          add(multiply(a.re, b.im), multiply(a.im, b.re))};
}
Expr squared_size(const ComplexParts& a) {
  return add(power(a.re, number(2)), power(a.im, number(2)));
}
ComplexParts quotient(const ComplexParts& a, const ComplexParts& b) {
  if (!b.im) return {divide(a.re, b.re), a.im ? divide(a.im, b.re) : nullptr};
  const ComplexParts above = product(a, {b.re, negate(b.im)});
  const Expr below = squared_size(b);
  return {divide(above.re, below), divide(above.im, below)};
}

Expr size_of(const Expr& e);

class Splitter {
 public:
  ComplexParts of(const Expr& e) const {
    ComplexParts parts = split(e);
    if (parts.re->size + (parts.im ? parts.im->size : 0) > kMostComplexParts)
      throw FormulaError(e->column, "its real and imaginary part are formulas of more than " +
                                        std::to_string(kMostComplexParts) + " parts");
    return parts;
  }

 private:
  ComplexParts split(const Expr& e) const {
    const auto arg = [&](std::size_t i) { return of(e->args[i]); };
    switch (e->op) {
      case Op::kNumber:
      case Op::kSymbol:
        return {e, nullptr};
      case Op::kNegate:
        return negated(arg(0));
      case Op::kAdd:
        return sum(arg(0), arg(1));
      case Op::kSubtract:
        return sum(arg(0), negated(arg(1)));
      case Op::kMultiply:
        return product(arg(0), arg(1));
      case Op::kDivide:
        return quotient(arg(0), arg(1));
      case Op::kPower:
        return powered(e, arg(0));
      case Op::kCall:
        break;
    }
    return called(e);
  }

  ComplexParts powered(const Expr& e, const ComplexParts& base) const {
    const ComplexParts by = of(e->args[1]);
    if (!base.im && !by.im) return {power(base.re, by.re), nullptr};
    const auto exponent = constant(e->args[1]);
    if (!exponent || *exponent < 1 || *exponent > kMostFactors ||
        *exponent != static_cast<double>(static_cast<int>(*exponent)))
      throw FormulaError(e->column, "a complex number has whole powers from 1 to 8 here");
    ComplexParts result = base;
    for (int n = 1; n < static_cast<int>(*exponent); ++n) result = product(result, base);
    return result;
  }

  ComplexParts called(const Expr& e) const {
    if (e->function == Function::kAbs) return {size_of(e->args[0]), nullptr};
    std::vector<ComplexParts> args;
    bool real = true;
    for (const Expr& arg : e->args) {
      args.push_back(of(arg));
      real = real && !args.back().im;
    }
    if (e->function == Function::kExp && !real) {
      const Expr size = real_call(Function::kExp, args[0].re);
      return {multiply(size, real_call(Function::kCos, args[0].im)),
              multiply(size, real_call(Function::kSin, args[0].im))};
    }
    if (!real)
      throw FormulaError(e->column, "'" + std::string(row_of(e->function).name) +
                                        "' expects a real number; abs gives the magnitude");
    if (e->function == Function::kRotate)
      return {real_call(Function::kCos, args[0].re), real_call(Function::kSin, args[0].re)};
    if (e->function == Function::kComplex) return {args[0].re, args[1].re};
    std::vector<Expr> values;
    for (ComplexParts& part : args) values.push_back(std::move(part.re));
    return {call(e->function, std::move(values)), nullptr};
  }
};

Expr size_of(const Expr& e) {
  if (is_call(e, Function::kRotate)) return number(1);
  if (e->op == Op::kMultiply) return multiply(size_of(e->args[0]), size_of(e->args[1]));
  if (e->op == Op::kDivide) return divide(size_of(e->args[0]), size_of(e->args[1]));
  if (e->op == Op::kNegate) return size_of(e->args[0]);
  const ComplexParts parts = Splitter().of(e);
  return parts.im ? real_call(Function::kSqrt, squared_size(parts))
                  : real_call(Function::kAbs, parts.re);
}

}  // namespace

ComplexParts complex_parts(const Expr& e) {
  const ComplexParts parts = Splitter().of(e);
  return {simplify(parts.re), parts.im ? simplify(parts.im) : nullptr};
}

Expr magnitude(const Expr& e) { return simplify(size_of(e)); }

}  // namespace lcsm
