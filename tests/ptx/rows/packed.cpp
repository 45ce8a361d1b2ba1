// f16 and bf16, alone and in pairs. Each result is computed in float64 and rounded once; a sum that
// float64 itself rounds would need terms more than 40 bits apart.
#include <cmath>

#include "tests/ptx/rows/steps.h"

namespace ptx {
namespace {

double of_bits(u16 bits, bool brain) { return brain ? of_bf16(bits) : of_half(bits); }
u16 bits_of(double x, bool brain) { return brain ? bf16_of(x) : half_of(x); }

double add(double a, double b, double) { return a + b; }
double subtract(double a, double b, double) { return a - b; }
double multiply(double a, double b, double) { return a * b; }
double fused(double a, double b, double c) { return std::fma(a, b, c); }
double fused_positive(double a, double b, double c) {
  const double x = std::fma(a, b, c);
  return std::isnan(x) ? x : std::fmax(x, 0);
}
double least(double a, double b, double) { return std::fmin(a, b); }
double most(double a, double b, double) { return std::fmax(a, b); }
double least_or_nan(double a, double b, double) {
  return std::isunordered(a, b) ? NAN : std::fmin(a, b);
}
double most_or_nan(double a, double b, double) {
  return std::isunordered(a, b) ? NAN : std::fmax(a, b);
}
double negate(double a, double, double) { return -a; }
double absolute(double a, double, double) { return std::fabs(a); }
double power_of_two(double a, double, double) { return std::exp2(a); }
double tangent(double a, double, double) { return std::tanh(a); }

struct Function {
  const char* name;
  const char* variant;  // a modifier that selects it
  double (*of)(double, double, double);
  std::size_t operands;
};

constexpr Function kFunctions[] = {
    {"add", "", add, 2},      {"sub", "", subtract, 2},
    {"mul", "", multiply, 2}, {"fma", "relu", fused_positive, 3},
    {"fma", "", fused, 3},    {"min", "NaN", least_or_nan, 2},
    {"min", "", least, 2},    {"max", "NaN", most_or_nan, 2},
    {"max", "", most, 2},     {"neg", "", negate, 1},
    {"abs", "", absolute, 1}, {"ex2", "", power_of_two, 1},
    {"tanh", "", tangent, 1},
};

template <int pair>
void packed_step(const Instruction& i, Warp& w, u32 mask) {
  const Function& function = kFunctions[i.choice];
  const bool brain = i.type == Type::kBf16 || i.type == Type::kBf16x2;
  const auto count = static_cast<int>(function.operands);
  lanes(mask, [&](int l) {
    u16 results[pair];
    for (int half = 0; half < pair; ++half) {
      double x[3] = {};
      for (int k = 0; k < count; ++k)
        x[k] = of_bits(w.at<u16>(i.at[k + 1])[pair * l + half], brain);
      results[half] = bits_of(function.of(x[0], x[1], x[2]), brain);
    }
    for (int half = 0; half < pair; ++half) w.at<u16>(i.at[0])[pair * l + half] = results[half];
  });
}

}  // namespace

void build_packed(Decoder& d) {
  if (d.has("sat") || !d.among("rz rm rp").empty()) return;
  for (const Function& function : kFunctions) {
    const bool variant = function.variant[0] != 0;
    if (d.parts[0] != function.name || (variant && !d.has(function.variant))) continue;
    same_operands(d, function.operands + 1);
    d.i.type = d.type();
    d.i.choice = static_cast<int>(&function - kFunctions);
    d.i.step = bytes_of(d.type()) == 4 ? packed_step<2> : packed_step<1>;
    return;
  }
}

const Rows& packed_rows() {
  static const Rows rows = {};
  return rows;
}

}  // namespace ptx
