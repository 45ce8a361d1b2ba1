#include "lcsm/formula/interval.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace lcsm {
namespace {

// 0 * inf is 0 here: the bound of a product, not a limit.
double times(double a, double b) { return a == 0 || b == 0 ? 0 : a * b; }

bool lower(const End& a, const End& b) {
  return a.value < b.value || (a.value == b.value && a.closed && !b.closed);
}
bool higher(const End& a, const End& b) {
  return a.value > b.value || (a.value == b.value && a.closed && !b.closed);
}

End finite_or_open(double value, bool closed) { return {value, closed && std::isfinite(value)}; }

End sum(const End& a, const End& b) {
  return finite_or_open(a.value + b.value, a.closed && b.closed);
}

// A product that is 0 because of a closed 0 is attained whatever the other end is.
End product(const End& a, const End& b) {
  const bool zero = (a.value == 0 && a.closed) || (b.value == 0 && b.closed);
  return finite_or_open(times(a.value, b.value), zero || (a.closed && b.closed));
}

bool is_whole(double x) { return std::isfinite(x) && x == std::floor(x); }
bool is_point(const Interval& a) { return a.low.value == a.high.value; }

Interval integer_power(const Interval& a, double n) {
  if (n < 0) return reciprocal(integer_power(a, -n));
  if (n == 0) return point(1);
  const auto image = [n](const End& end) {
    return finite_or_open(std::pow(end.value, n), end.closed);
  };
  if (std::fmod(n, 2) == 0) {
    const Interval magnitude = absolute(a);
    return {image(magnitude.low), image(magnitude.high)};
  }
  return {image(a.low), image(a.high)};
}

}  // namespace

bool Interval::contains(double x) const {
  return (x > low.value || (x == low.value && low.closed)) &&
         (x < high.value || (x == high.value && high.closed));
}

bool Interval::bounded() const { return std::isfinite(low.value) && std::isfinite(high.value); }

Interval point(double x) { return {{x, true}, {x, true}}; }

bool is_positive(const Interval& a) {
  return a.low.value > 0 || (a.low.value == 0 && !a.low.closed);
}

bool is_nonnegative(const Interval& a) { return a.low.value >= 0; }

bool within(const Interval& inner, const Interval& outer) {
  return !lower(inner.low, outer.low) && !higher(inner.high, outer.high);
}

Interval hull(const Interval& a, const Interval& b) {
  return {lower(a.low, b.low) ? a.low : b.low, higher(a.high, b.high) ? a.high : b.high};
}

Interval operator-(const Interval& a) {
  return {{-a.high.value, a.high.closed}, {-a.low.value, a.low.closed}};
}

Interval operator+(const Interval& a, const Interval& b) {
  Interval result{sum(a.low, b.low), sum(a.high, b.high)};
  // Infinity minus infinity: no bound.
  if (std::isnan(result.low.value)) result.low = kReals.low;
  if (std::isnan(result.high.value)) result.high = kReals.high;
  return result;
}

Interval operator*(const Interval& a, const Interval& b) {
  const std::array<End, 4> corners = {product(a.low, b.low), product(a.low, b.high),
                                      product(a.high, b.low), product(a.high, b.high)};
  Interval result{corners[0], corners[0]};
  for (const End& corner : corners) {
    if (lower(corner, result.low)) result.low = corner;
    if (higher(corner, result.high)) result.high = corner;
  }
  return result;
}

Interval reciprocal(const Interval& a) {
  if (!is_positive(a) && !is_positive(-a)) return kReals;
  const auto flip = [&](const End& end) {
    if (end.value == 0) return End{is_positive(a) ? kInfinity : -kInfinity, false};
    return finite_or_open(1 / end.value, end.closed);
  };
  return {flip(a.high), flip(a.low)};
}

Interval square(const Interval& a) { return integer_power(a, 2); }

Interval power(const Interval& a, const Interval& b) {
  if (is_point(b) && is_whole(b.low.value)) return integer_power(a, b.low.value);
  if (!is_nonnegative(a)) return kReals;
  if (!is_positive(a) && !is_positive(b)) return {{0, true}, {kInfinity, false}};
  const auto logarithm = [](double x) { return std::log(x); };
  const auto exponential = [](double x) { return std::exp(x); };
  Interval base = a;
  if (base.low.value == 0) base.low.closed = false;  // 0 ^ positive is added again below
  Interval result = monotone(monotone(base, logarithm) * b, exponential);
  if (a.low.value == 0 && a.low.closed) result = hull(result, point(0));
  return result;
}

Interval minimum(const Interval& a, const Interval& b) {
  return {lower(a.low, b.low) ? a.low : b.low, higher(a.high, b.high) ? b.high : a.high};
}

Interval maximum(const Interval& a, const Interval& b) { return -minimum(-a, -b); }

Interval absolute(const Interval& a) {
  if (is_nonnegative(a)) return a;
  if (is_nonnegative(-a)) return -a;
  return {{0, true}, maximum(a, -a).high};
}

Interval monotone(const Interval& a, double (*f)(double)) {
  return {finite_or_open(f(a.low.value), a.low.closed),
          finite_or_open(f(a.high.value), a.high.closed)};
}

}  // namespace lcsm
