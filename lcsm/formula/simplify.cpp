// Decomposes a node into a sum of products, down to parts that are neither. The parts are
// simplified, collected and put together again. No inner sum or product is built only to be
// decomposed, which keeps the cost near the size of the tree and makes the result its own canonical
// form.
#include "lcsm/formula/simplify.h"

#include <algorithm>
#include <cmath>

#include "lcsm/formula/range.h"

namespace lcsm {
namespace {

bool is_integer(double x) { return x == std::floor(x) && std::abs(x) <= 1e6; }
// A folded number must be finite and must not underflow.
bool folds(double x) { return std::isfinite(x) && std::abs(x) >= 1e-300; }

// coefficient * prod base^exponent
struct Factor {
  Expr base;
  double exponent;
};
struct Product {
  double coefficient = 1;
  std::vector<Factor> factors;

  void include(const Expr& e, double exponent, bool canonical);
  Expr build() const;
  Expr body() const;  // without the coefficient; null when nothing else is left

 private:
  void include_part(const Expr& part, double exponent);
  void gather(const Expr& base, double exponent);
};

bool is_product(const Expr& e) {
  return e->op == Op::kNegate || e->op == Op::kMultiply || e->op == Op::kDivide;
}

// x^a * x^b is x^(a + b) wherever the product has a value.
void Product::gather(const Expr& base, double exponent) {
  const auto same = std::find_if(factors.begin(), factors.end(),
                                 [&](const Factor& f) { return equal(f.base, base); });
  if (is_constant(base, 0))
    exponent = same == factors.end() ? -1 : 0;  // one division by 0 is enough
  if (same == factors.end()) return factors.push_back({base, exponent});
  same->exponent += exponent;
  if (!is_integer(same->exponent)) return;
  // A fractional power kept this base whole; with an integer exponent it can be decomposed.
  const Factor whole = *same;
  const bool opens = is_product(base) || base->op == Op::kPower || base->op == Op::kNumber;
  if (opens || whole.exponent == 0) factors.erase(same);
  if (opens && whole.exponent != 0) include(whole.base, whole.exponent, true);
}

void Product::include(const Expr& e, double exponent, bool canonical) {
  if (!is_product(e) || !is_integer(exponent))
    return include_part(canonical ? e : simplify(e), exponent);
  if (e->op == Op::kNegate && std::fmod(exponent, 2) != 0) coefficient = -coefficient;
  include(e->args[0], exponent, canonical);
  if (e->op == Op::kMultiply) include(e->args[1], exponent, canonical);
  if (e->op == Op::kDivide) include(e->args[1], -exponent, canonical);
}

// Includes a simplified part, which may have become a product.
void Product::include_part(const Expr& part, double exponent) {
  if (is_product(part) && is_integer(exponent)) return include(part, exponent, true);
  if (part->op == Op::kPower && is_integer(exponent)) {
    const std::optional<double> inner = constant(part->args[1]);
    if (inner && std::abs(*inner * exponent) <= 1e6)
      return include_part(part->args[0], *inner * exponent);
  }
  if (part->op == Op::kNumber) {
    const double folded = coefficient * std::pow(part->number, exponent);
    if (folds(folded) || (part->number == 0 && exponent > 0)) return void(coefficient = folded);
  }
  gather(part, exponent);
}

// The sign goes to the first factor: -a * b.
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

  void include(const Expr& e, double scale, bool canonical = false);
  Expr build();

 private:
  void gather(double coefficient, const Expr& body);
  void complement();
  void sort();
};

bool same(const Expr& a, const Expr& b) { return a && b ? equal(a, b) : !a && !b; }

void Sum::gather(double coefficient, const Expr& body) {
  for (Term& term : terms)
    if (same(term.body, body) && std::isfinite(term.coefficient + coefficient))
      return void(term.coefficient += coefficient);
  terms.push_back({coefficient, body});
}

bool is_sum(const Expr& e) { return e->op == Op::kAdd || e->op == Op::kSubtract; }

void Sum::include(const Expr& e, double scale, bool canonical) {
  if (is_sum(e)) {
    include(e->args[0], scale, canonical);
    return include(e->args[1], e->op == Op::kAdd ? scale : -scale, canonical);
  }
  Product product;
  product.include(e, 1, canonical);
  if (product.coefficient == 0) return;
  const double coefficient = scale * product.coefficient;
  if (!folds(coefficient)) return gather(scale, product.build());
  const Expr body = product.body();
  if (body && is_sum(body)) return include(body, coefficient, true);
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
      negated.include(term.body->args[0], -1, true);
      const Expr mirrored = call(Function::kSigmoid, {negated.build()});
      const double coefficient = one.coefficient;
      one.coefficient = term.coefficient = 0;
      return gather(coefficient, mirrored);
    }
  }
}

// Puts positive terms first, so that a sum does not start with a minus needlessly.
void Sum::sort() {
  std::sort(terms.begin(), terms.end(), [](const Term& a, const Term& b) {
    if ((a.coefficient > 0) != (b.coefficient > 0)) return a.coefficient > 0;
    if (!a.body || !b.body) return !a.body && b.body;
    return compare(a.body, b.body) < 0;
  });
}

Expr scaled(const Expr& body, double coefficient) {
  if (!body) return number(coefficient);
  Product product;
  product.include(body, 1, true);
  const double folded = coefficient * product.coefficient;
  if (!folds(folded)) return multiply(number(coefficient), body);
  product.coefficient = folded;
  return product.build();
}

Expr Sum::build() {
  sort();  // so that the choice of the sigmoid to mirror does not depend on the order of terms
  complement();
  std::erase_if(terms, [](const Term& t) { return t.coefficient == 0; });
  sort();
  Expr result;
  for (const Term& term : terms) {
    const bool minus = result && term.coefficient < 0;
    const Expr one = scaled(term.body, minus ? -term.coefficient : term.coefficient);
    result = !result ? one : minus ? subtract(result, one) : add(result, one);
  }
  return result ? result : number(0);
}

Expr combine_power(const Expr& base, const Expr& exponent) {
  const std::optional<double> b = constant(base), n = constant(exponent);
  if (n == 0.0 || b == 1.0) return number(1);
  if (n == 1.0) return base;
  if (b && n && folds(std::pow(*b, *n))) return number(std::pow(*b, *n));
  // (a^b)^c = a^(b c) where a is positive; Product itself handles (a^b)^2
  if (base->op == Op::kPower && (!n || constant(base->args[1])) &&
      is_positive(range_as_written(base->args[0])))
    return combine_power(base->args[0], simplify(multiply(base->args[1], exponent)));
  if (!n) return power(base, exponent);
  Product product;
  product.include(power(base, exponent), 1, true);
  return product.build();
}

Expr combine_call(Function f, std::vector<Expr> args) {
  if (f == Function::kExp && is_call(args[0], Function::kLog)) return args[0]->args[0];
  if (f == Function::kLog && is_call(args[0], Function::kExp)) return args[0]->args[0];
  // log(1 + exp(a)) overflows where softplus(a) does not
  if (f == Function::kLog && args[0]->op == Op::kAdd && is_constant(args[0]->args[0], 1) &&
      is_call(args[0]->args[1], Function::kExp))
    return call(Function::kSoftplus, {args[0]->args[1]->args[0]});
  if ((f == Function::kMin || f == Function::kMax) && compare(args[1], args[0]) < 0)
    std::swap(args[0], args[1]);
  const FunctionRow& row = row_of(f);
  const std::optional<double> x = constant(args[0]), y = constant(args.back());
  if (row.value && x && y) {
    const double value = row.value(*x, *y);
    const bool vanished = value == 0 && is_positive(row.range(kReals, kReals));
    if (folds(value) || (value == 0 && !vanished)) return number(value);
  }
  return call(f, std::move(args));
}

}  // namespace

Expr simplify(const Expr& e) {
  if (e->args.empty()) return e;
  if (e->op == Op::kPower) return combine_power(simplify(e->args[0]), simplify(e->args[1]));
  if (e->op == Op::kCall) {
    std::vector<Expr> args;
    for (const Expr& arg : e->args) args.push_back(simplify(arg));
    return combine_call(e->function, std::move(args));
  }
  Sum sum;
  sum.include(e, 1);
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
  product.include(e, 1, true);
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
