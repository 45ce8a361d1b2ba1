// Intervals of real numbers with open or closed ends, and their images under functions.
#pragma once

#include <limits>

namespace lcsm {

struct End {
  double value = 0;
  bool closed = true;  // an infinite end is always open
};

struct Interval {
  End low{-std::numeric_limits<double>::infinity(), false};
  End high{std::numeric_limits<double>::infinity(), false};

  bool contains(double x) const;
  bool bounded() const;
};

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr Interval kReals{};
inline constexpr Interval kPositive{{0, false}, {kInfinity, false}};

Interval point(double x);
bool is_positive(const Interval& a);     // every value > 0
bool is_nonnegative(const Interval& a);  // every value >= 0
bool within(const Interval& inner, const Interval& outer);
Interval hull(const Interval& a, const Interval& b);

Interval operator-(const Interval& a);
Interval operator+(const Interval& a, const Interval& b);
Interval operator*(const Interval& a, const Interval& b);
Interval reciprocal(const Interval& a);  // all reals when 0 is inside
Interval square(const Interval& a);      // the image of x * x
Interval power(const Interval& a, const Interval& b);
Interval minimum(const Interval& a, const Interval& b);
Interval maximum(const Interval& a, const Interval& b);
Interval absolute(const Interval& a);
// The image under a non-decreasing f; an open end whose image is not finite stays open.
Interval monotone(const Interval& a, double (*f)(double));

}  // namespace lcsm
