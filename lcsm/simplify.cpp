// Children first; then a node is taken apart into a product or a sum of canonical parts, gathered
// and put together again. Nothing is simplified twice, so the cost stays near the tree's size.
#include "lcsm/simplify.h"

#include <algorithm>
#include <cmath>

#include "lcsm/range.h"

namespace lcsm {
namespace {

bool is_integer(double x) { return x == std::floor(x) && std::abs(x) <= 1e6; }
// A folded number must exist, and not have vanished.
bool folds(double x) { return std::isfinite(x) && std::abs(x) >= 1e-300; }

// coefficient * prod base^exponent
struct Factor {
  Expr base;
  double exponent;
};
struct Product {
  double coefficient = 1;
  std::vector<Factor> factors;

  void include(const Expr& e, double exponent);
  Expr build() const;
  Expr body() const;  // without the coefficient; null when that is all there is

 private:
  void gather(const Expr& base, double exponent);
};

void Product::gather(const Expr& base, double exponent) {
  for (Factor& factor : factors) {
    // x^2 * x^-1 is x; x^0.5 * x^0.5 is x only where x cannot be negative.
    const bool whole = is_integer(factor.exponent) && is_integer(exponent);
    if (!equal(factor.base, base) || !(whole || is_integer(factor.exponent + exponent))) continue;
    factor.exponent += exponent;
    if (factor.exponent == 0) factors.erase(factors.begin() + (&factor - factors.data()));
    return;
  }
  factors.push_back({base, exponent});
}

void Product::include(const Expr& e, double exponent) {
  if (e->op == Op::kNegate && is_integer(exponent)) {
    if (std::fmod(exponent, 2) != 0) coefficient = -coefficient;
    return include(e->args[0], exponent);
  }
  if (e->op == Op::kMultiply && is_integer(exponent)) {
    include(e->args[0], exponent);
    return include(e->args[1], exponent);
  }
  if (e->op == Op::kDivide && is_integer(exponent)) {
    include(e->args[0], exponent);
    return include(e->args[1], -exponent);
  }
  if (e->op == Op::kPower) {
    const std::optional<double> inner = constant(e->args[1]);
    if (inner && is_integer(exponent) && std::abs(*inner * exponent) <= 1e6)
      return include(e->args[0], *inner * exponent);
  }
  if (e->op == Op::kNumber) {
    const double folded = coefficient * std::pow(e->number, exponent);
    if (folds(folded) || (e->number == 0 && exponent > 0)) return void(coefficient = folded);
  }
  gather(e, exponent);
}

// The sign stands at the first factor: -a * b.
Expr product_of(std::vector<Factor> factors, double coefficient) {
  std::sort(factors.begin(), factors.end(),
            [](const Factor& a, const Factor& b) { return compare(a.base, b.base) < 0; });
  const bool bare = std::abs(coefficient) == 1 && !factors.empty();
  Expr result = bare ? nullptr : number(coefficient);
  for (const Factor& factor : factors) {
    const Expr one =
        factor.exponent == 1 ? factor.base : power(factor.base, number(factor.exponent));
    result = result ? multiply(result, one) : coefficient < 0 ? negate(one) : one;
  }
  return result;
}

Expr Product::body() const {
  if (factors.empty()) return nullptr;
  return Product{1, factors}.build();
}

Expr Product::build() const {
  if (coefficient == 0) return number(0);
  std::vector<Factor> above, below;
  for (const Factor& f : factors)
    (f.exponent > 0 ? above : below).push_back({f.base, std::abs(f.exponent)});
  // x / 16, not 0.0625 * x
  const double magnitude = std::abs(coefficient), inverse = std::round(1 / magnitude);
  const bool divides = magnitude < 1 && is_integer(inverse) && 1 / inverse == magnitude;
  const double sign = coefficient < 0 ? -1 : 1;
  const Expr result = product_of(above, divides ? sign : coefficient);
  if (!divides && below.empty()) return result;
  return divide(result, product_of(below, divides ? inverse : 1));
}

// sum of coefficient * body; a null body is the constant
struct Term {
  double coefficient;
  Expr body;
};
struct Sum {
  std::vector<Term> terms;

  void include(const Expr& e, double scale);
  Expr build();

 private:
  void gather(double coefficient, const Expr& body);
  void complement();
};

bool same(const Expr& a, const Expr& b) { return a && b ? equal(a, b) : !a && !b; }

void Sum::gather(double coefficient, const Expr& body) {
  for (Term& term : terms)
    if (same(term.body, body) && std::isfinite(term.coefficient + coefficient))
      return void(term.coefficient += coefficient);
  terms.push_back({coefficient, body});
}

bool is_sum(const Expr& e) { return e->op == Op::kAdd || e->op == Op::kSubtract; }

void Sum::include(const Expr& e, double scale) {
  if (is_sum(e)) {
    include(e->args[0], scale);
    return include(e->args[1], e->op == Op::kAdd ? scale : -scale);
  }
  Product product;
  product.include(e, 1);
  const double coefficient = scale * product.coefficient;
  if (product.coefficient == 0) return;
  if (!folds(coefficient)) return gather(scale, e);
  const Expr body = product.body();
  if (body && is_sum(body)) return include(body, coefficient);
  gather(coefficient, body);
}

// 1 - sigmoid(a) = sigmoid(-a), which keeps its digits when sigmoid(a) is near 1.
void Sum::complement() {
  for (Term& one : terms) {
    if (one.body || std::abs(one.coefficient) != 1) continue;
    for (Term& term : terms) {
      if (!term.body || !is_call(term.body, Function::kSigmoid) ||
          term.coefficient != -one.coefficient)
        continue;
      Sum negated;
      negated.include(term.body->args[0], -1);
      const Expr mirrored = call(Function::kSigmoid, {negated.build()});
      const double coefficient = one.coefficient;
      one.coefficient = term.coefficient = 0;
      return gather(coefficient, mirrored);
    }
  }
}

Expr Sum::build() {
  complement();
  std::erase_if(terms, [](const Term& t) { return t.coefficient == 0; });
  // Positive terms first, so that a sum does not open with a minus needlessly.
  std::sort(terms.begin(), terms.end(), [](const Term& a, const Term& b) {
    if ((a.coefficient > 0) != (b.coefficient > 0)) return a.coefficient > 0;
    if (!a.body || !b.body) return !a.body && b.body;
    return compare(a.body, b.body) < 0;
  });
  Expr result;
  for (const Term& term : terms) {
    Product product;
    if (term.body) product.include(term.body, 1);
    const double coefficient = term.coefficient * product.coefficient;
    product.coefficient = result ? std::abs(coefficient) : coefficient;
    const Expr one = product.build();
    result = !result ? one : coefficient < 0 ? subtract(result, one) : add(result, one);
  }
  return result ? result : number(0);
}

Expr combine_power(const Expr& base, const Expr& exponent) {
  const std::optional<double> b = constant(base), n = constant(exponent);
  if (n == 0.0 || b == 1.0) return number(1);
  if (n == 1.0) return base;
  if (b && n && folds(std::pow(*b, *n))) return number(std::pow(*b, *n));
  // (a^b)^c = a^(b c) where a is positive
  if (base->op == Op::kPower && is_positive(range_as_written(base->args[0])))
    return combine_power(base->args[0], simplify(multiply(base->args[1], exponent)));
  if (!n) return power(base, exponent);
  Product product;
  product.include(power(base, exponent), 1);
  return product.build();
}

Expr combine_call(Function f, std::vector<Expr> args) {
  if (f == Function::kExp && is_call(args[0], Function::kLog)) return args[0]->args[0];
  if (f == Function::kLog && is_call(args[0], Function::kExp)) return args[0]->args[0];
  const FunctionRow& row = row_of(f);
  const std::optional<double> x = constant(args[0]), y = constant(args.back());
  if (row.value && x && y) {
    const double value = row.value(*x, *y);
    if (folds(value) || value == 0) return number(value);
  }
  return call(f, std::move(args));
}

}  // namespace

Expr simplify(const Expr& e) {
  if (e->args.empty()) return e;
  std::vector<Expr> args;
  for (const Expr& arg : e->args) args.push_back(simplify(arg));
  if (e->op == Op::kCall) return combine_call(e->function, std::move(args));
  if (e->op == Op::kPower) return combine_power(args[0], args[1]);
  Node node = *e;
  node.args = std::move(args);
  Sum sum;
  sum.include(std::make_shared<const Node>(std::move(node)), 1);
  return sum.build();
}

std::vector<Expr> terms_of(const Expr& e) {
  if (!is_sum(e)) return {e};
  std::vector<Expr> terms = terms_of(e->args[0]);
  for (const Expr& term : terms_of(e->args[1]))
    terms.push_back(e->op == Op::kAdd ? term : simplify(negate(term)));
  return terms;
}

std::vector<Expr> factors_of(const Expr& e) {
  Product product;
  product.include(e, 1);
  std::vector<Expr> factors;
  if (product.coefficient != 1 || product.factors.empty())
    factors.push_back(number(product.coefficient));
  for (const Factor& f : product.factors)
    factors.push_back(f.exponent == 1 ? f.base : power(f.base, number(f.exponent)));
  return factors;
}

Expr expand(const Expr& e) {
  std::vector<Expr> open = terms_of(e), done;
  while (!open.empty()) {
    if (open.size() + done.size() > 64) return e;
    const Expr term = open.back();
    open.pop_back();
    std::vector<Expr> factors = factors_of(term);
    const auto sum = std::find_if(factors.begin(), factors.end(), is_sum);
    if (sum == factors.end()) {
      done.push_back(term);
      continue;
    }
    for (const Expr& part : terms_of(*sum)) {
      Expr product = part;
      for (auto other = factors.begin(); other != factors.end(); ++other)
        if (other != sum) product = multiply(product, *other);
      open.push_back(simplify(product));
    }
  }
  Expr result = number(0);
  for (const Expr& term : done) result = add(result, term);
  return simplify(result);
}

}  // namespace lcsm
