#include "tests/ptx/numbers.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ptx {
namespace {

double whole(double x, Rounding rounding) {
  switch (rounding) {
    case Rounding::kNearest:
      return std::nearbyint(x);
    case Rounding::kZero:
      return std::trunc(x);
    case Rounding::kDown:
      return std::floor(x);
    case Rounding::kUp:
      return std::ceil(x);
    case Rounding::kAway:
      return std::round(x);
  }
  return x;
}

// Nearest gives infinity beyond the largest number, a directed rounding only in its own direction.
double beyond(double x, double largest, Rounding rounding) {
  const bool down = rounding == Rounding::kZero || (rounding == Rounding::kDown && x > 0) ||
                    (rounding == Rounding::kUp && x < 0);
  return std::copysign(down ? largest : std::numeric_limits<double>::infinity(), x);
}

}  // namespace

double rounded(double x, const Format& format, Rounding rounding) {
  if (!std::isfinite(x) || x == 0) return x;
  const int exponent = std::max(std::ilogb(x), format.smallest);
  const double unit = std::ldexp(1.0, exponent - format.fraction);
  const double result = std::copysign(whole(x / unit, rounding) * unit, x);
  const double largest = std::ldexp(2.0 - std::ldexp(1.0, -format.fraction), format.largest);
  return std::fabs(result) > largest ? beyond(x, largest, rounding) : result;
}

u16 bf16_of(double x, Rounding rounding) {
  if (std::isnan(x)) return 0x7fff;
  return static_cast<u16>(std::bit_cast<u32>(static_cast<float>(rounded(x, kBrain, rounding))) >>
                          16);
}

u16 half_of(double x, Rounding rounding) {
  if (std::isnan(x)) return 0x7fff;
  const double value = std::fabs(rounded(x, kHalf, rounding));
  const u16 sign = std::signbit(x) ? 0x8000 : 0;
  if (std::isinf(value)) return sign | 0x7c00;
  if (value < 0x1p-14) return static_cast<u16>(sign | static_cast<u16>(value * 0x1p24));
  const int exponent = std::ilogb(value);
  const auto fraction = static_cast<u16>((std::ldexp(value, -exponent) - 1) * 1024);
  return static_cast<u16>(sign | (exponent + 15) << 10 | fraction);
}

double of_half(u16 bits) {
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  double value =
      exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
  if (exponent == 31)
    value = fraction != 0 ? std::numeric_limits<double>::quiet_NaN()
                          : std::numeric_limits<double>::infinity();
  return (bits & 0x8000) != 0 ? -value : value;
}

}  // namespace ptx
