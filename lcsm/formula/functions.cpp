#include "lcsm/formula/functions.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace lcsm {
namespace {

double sigmoid(double x) {
  const double e = std::exp(-std::abs(x));
  return x >= 0 ? 1 / (1 + e) : e / (1 + e);
}
double softplus(double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))); }
double elu(double x) { return x > 0 ? x : std::expm1(x); }
double silu(double x) { return x == -kInfinity ? 0 : x * sigmoid(x); }

// The range of a function that approaches 0 and never reaches it, although its ends may round to 0.
Interval above_zero(Interval a) {
  if (a.low.value == 0) a.low.closed = false;
  if (a.high.value == 0) a.high = {std::numeric_limits<double>::denorm_min(), true};
  return a;
}
Interval exp_range(const Interval& a, const Interval&) {
  return above_zero(monotone(a, [](double x) { return std::exp(x); }));
}
Interval log_range(const Interval& a, const Interval&) {
  if (!is_nonnegative(a)) return kReals;
  return monotone(a, [](double x) { return std::log(x); });
}
Interval sigmoid_range(const Interval& a, const Interval&) {
  return above_zero(monotone(a, sigmoid));
}
Interval softplus_range(const Interval& a, const Interval&) {
  return above_zero(monotone(a, softplus));
}
Interval tanh_range(const Interval& a, const Interval&) {
  return monotone(a, [](double x) { return std::tanh(x); });
}
Interval relu_range(const Interval& a, const Interval&) { return maximum(a, point(0)); }
Interval elu_range(const Interval& a, const Interval&) { return monotone(a, elu); }
Interval silu_range(const Interval& a, const Interval&) {
  if (is_nonnegative(a)) return monotone(a, silu);
  // silu falls until x = -1.2784645, where it is -0.2784645, and rises from there.
  const double top = std::max({0.0, silu(a.low.value), silu(a.high.value)});
  return {{-0.27846454276107385, true}, {top, std::isfinite(top)}};
}
Interval sqrt_range(const Interval& a, const Interval&) {
  if (!is_nonnegative(a)) return kReals;
  return monotone(a, [](double x) { return std::sqrt(x); });
}
Interval abs_range(const Interval& a, const Interval&) { return absolute(a); }
Interval min_range(const Interval& a, const Interval& b) { return minimum(a, b); }
Interval max_range(const Interval& a, const Interval& b) { return maximum(a, b); }
Interval step_range(const Interval& a, const Interval&) {
  if (a.low.value > 0) return point(1);  // a value that approaches 0 may round to it
  if (is_nonnegative(-a)) return point(0);
  return {{0, true}, {1, true}};
}
Interval one_range(const Interval&, const Interval&) { return point(1); }
Interval real_range(const Interval&, const Interval&) { return kReals; }
Interval wave_range(const Interval&, const Interval&) { return {{-1, true}, {1, true}}; }
// The factor of a running softmax is 0 at the first step.
Interval share_range(const Interval&, const Interval&) { return {{0, true}, {1, false}}; }

// NaN propagates through min and max, as in tensors.
double smaller(double x, double y) { return x < y || std::isnan(x) ? x : y; }
double larger(double x, double y) { return x > y || std::isnan(x) ? x : y; }

using F = Function;
constexpr std::array kFunctions = {
    FunctionRow{F::kExp,
                "exp",
                1,
                [](double x, double) { return std::exp(x); },
                exp_range,
                12,
                "exp",
                "\\exp",
                {"exp(x)", ""},
                "e^x"},
    FunctionRow{F::kLog,
                "log",
                1,
                [](double x, double) { return std::log(x); },
                log_range,
                14,
                "log",
                "\\log",
                {"1 / x", ""},
                "natural logarithm"},
    FunctionRow{F::kSigmoid,
                "sigmoid",
                1,
                [](double x, double) { return sigmoid(x); },
                sigmoid_range,
                15,
                "\u03c3",
                "\\sigma",
                {"sigmoid(x) * sigmoid(-x)", ""},
                "1 / (1 + exp(-x))"},
    FunctionRow{F::kSoftplus,
                "softplus",
                1,
                [](double x, double) { return softplus(x); },
                softplus_range,
                28,
                "softplus",
                "\\operatorname{softplus}",
                {"sigmoid(x)", ""},
                "log(1 + exp(x))"},
    FunctionRow{F::kTanh,
                "tanh",
                1,
                [](double x, double) { return std::tanh(x); },
                tanh_range,
                16,
                "tanh",
                "\\tanh",
                {"1 - tanh(x)^2", ""},
                "hyperbolic tangent"},
    FunctionRow{F::kRelu,
                "relu",
                1,
                [](double x, double) { return larger(x, 0); },
                relu_range,
                1,
                "relu",
                "\\operatorname{relu}",
                {"step(x)", ""},
                "max(x, 0)"},
    FunctionRow{F::kElu,
                "elu",
                1,
                [](double x, double) { return elu(x); },
                elu_range,
                14,
                "elu",
                "\\operatorname{elu}",
                {"exp(min(x, 0))", ""},
                "x above 0, exp(x) - 1 below"},
    FunctionRow{F::kSilu,
                "silu",
                1,
                [](double x, double) { return silu(x); },
                silu_range,
                16,
                "silu",
                "\\operatorname{silu}",
                {"sigmoid(x) * (1 + x * sigmoid(-x))", ""},
                "x * sigmoid(x)"},
    FunctionRow{F::kSqrt,
                "sqrt",
                1,
                [](double x, double) { return std::sqrt(x); },
                sqrt_range,
                4,
                "\u221a",
                "\\sqrt",
                {"0.5 / sqrt(x)", ""},
                "square root"},
    FunctionRow{F::kAbs,
                "abs",
                1,
                [](double x, double) { return std::abs(x); },
                abs_range,
                1,
                "abs",
                "\\operatorname{abs}",
                {"step(x) - step(-x)", ""},
                "magnitude"},
    FunctionRow{F::kMin,
                "min",
                2,
                smaller,
                min_range,
                1,
                "min",
                "\\min",
                {"(1 + step(y - x) - step(x - y)) / 2", "(1 + step(x - y) - step(y - x)) / 2"},
                "the smaller of two"},
    FunctionRow{F::kMax,
                "max",
                2,
                larger,
                max_range,
                1,
                "max",
                "\\max",
                {"(1 + step(x - y) - step(y - x)) / 2", "(1 + step(y - x) - step(x - y)) / 2"},
                "the larger of two"},
    FunctionRow{F::kStep,
                "step",
                1,
                [](double x, double) { return x > 0 ? 1.0 : 0.0; },
                step_range,
                1,
                "step",
                "\\operatorname{step}",
                {"0", ""},
                "1 where x > 0, else 0"},
    FunctionRow{F::kCos,
                "cos",
                1,
                [](double x, double) { return std::cos(x); },
                wave_range,
                20,
                "cos",
                "\\cos",
                {"-sin(x)", ""},
                "cosine"},
    FunctionRow{F::kSin,
                "sin",
                1,
                [](double x, double) { return std::sin(x); },
                wave_range,
                20,
                "sin",
                "\\sin",
                {"cos(x)", ""},
                "sine"},
    FunctionRow{F::kRotate,
                "rotate",
                1,
                nullptr,
                one_range,
                0,
                "rotate",
                "\\operatorname{rotate}",
                {"", ""},
                "exp(i x): makes the memory complex; a factor of the whole gate, anywhere in its "
                "scale and read"},
    FunctionRow{F::kCumsoftmax,
                "cumsoftmax",
                1,
                nullptr,
                share_range,
                30,
                "cumsoftmax",
                "\\operatorname{cumsoftmax}",
                {"", ""},
                "sum of exp(x) up to the step before over the sum up to this step; a factor of the "
                "whole gate"},
    FunctionRow{F::kComplex,
                "complex",
                2,
                nullptr,
                real_range,
                0,
                "complex",
                "\\operatorname{complex}",
                {"", ""},
                "x + i y, in the scale and read of a gate that rotates"},
};

constexpr bool in_order() {
  for (std::size_t i = 0; i < kFunctions.size(); ++i)
    if (static_cast<std::size_t>(kFunctions[i].function) != i) return false;
  return true;
}
static_assert(in_order(), "row number = the enum's value");

}  // namespace

std::span<const FunctionRow> functions() { return kFunctions; }

const FunctionRow& row_of(Function f) { return kFunctions[static_cast<std::size_t>(f)]; }

}  // namespace lcsm
