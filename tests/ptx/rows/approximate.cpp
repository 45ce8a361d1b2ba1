// Functions that a device only approximates. Computed exactly, or with errors of up to
// Options::ulps: a kernel's result must not depend on them.
#include <algorithm>
#include <cmath>

#include "tests/ptx/rows/steps.h"

namespace ptx {
namespace {

double reciprocal(double x) { return 1 / x; }
double inverse_root(double x) { return 1 / std::sqrt(x); }
double log2_of(double x) { return std::log2(x); }

struct Approximate {
  const char* name;
  double (*exact)(double);
};

constexpr Approximate kFunctions[] = {
    {"ex2", std::exp2},      {"lg2", log2_of},    {"rcp", reciprocal},
    {"rsqrt", inverse_root}, {"sqrt", std::sqrt}, {"div", nullptr},
};

// A pseudo-random error between -1 and 1, which depends on the bits alone and not on the order of
// execution.
double error_of(double exact, u32 seed) {
  u64 hash = std::bit_cast<u64>(exact) + seed * 0x9e3779b97f4a7c15ull;
  hash = (hash ^ hash >> 31) * 0xbf58476d1ce4e5b9ull;
  hash = (hash ^ hash >> 29) * 0x94d049bb133111ebull;
  return static_cast<double>(hash >> 11) * 0x1p-52 - 1;
}

// Zeros, infinities and powers of two of exp2(0) are exact on a device too. `least`: the number to
// whose units in the last place a smaller result is off.
double perturbed(double exact, double ulps, double least) {
  if (ulps == 0 || exact == 0 || !std::isfinite(exact)) return exact;
  const double unit = std::ldexp(1.0, std::ilogb(std::max(std::abs(exact), least)) - 23);
  return exact + ulps * unit * error_of(exact, 1);
}

void approximate_step(const Instruction& i, Warp& w, u32 mask) {
  const Approximate& function = kFunctions[i.choice];
  const double ulps = w.block->launch.options.ulps, least = function.exact == log2_of ? 1 : 0;
  float* to = w.at<float>(i.at[0]);
  const float *a = w.at<float>(i.at[1]), *b = w.at<float>(i.at[i.operands - 1]);
  lanes(mask, [&](int l) {
    const double exact =
        function.exact != nullptr ? function.exact(a[l]) : static_cast<double>(a[l]) / b[l];
    to[l] = static_cast<float>(perturbed(exact, ulps, least));
  });
}

// rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64 read the upper half of a double only; later
// instructions refine the result.
template <bool root>
void coarse_step(const Instruction& i, Warp& w, u32 mask) {
  double* to = w.at<double>(i.at[0]);
  const double* a = w.at<double>(i.at[1]);
  const auto upper = [](double x) {
    return std::bit_cast<double>(std::bit_cast<u64>(x) & 0xffffffff00000000ull);
  };
  lanes(mask, [&](int l) {
    const double x = upper(a[l]);
    to[l] = upper(root ? inverse_root(x) : reciprocal(x));
  });
}

}  // namespace

void build_approximate(Decoder& d) {
  const std::string& name = d.parts[0];
  const auto* row = std::find_if(std::begin(kFunctions), std::end(kFunctions),
                                 [&](const Approximate& each) { return name == each.name; });
  same_operands(d, name == "div" ? 3 : 2);
  if (d.type() == Type::kF64 && name == "rcp") d.i.step = coarse_step<false>;
  if (d.type() == Type::kF64 && name == "rsqrt") d.i.step = coarse_step<true>;
  if (d.type() != Type::kF32) return;
  d.i.choice = static_cast<int>(row - std::begin(kFunctions));
  d.i.step = approximate_step;
  make_careful(d);
}

const Rows& approximate_rows() {
  static const Rows rows = {
      {"ex2", "approx ftz", build_approximate},
      {"lg2", "approx ftz", build_approximate},
      {"rsqrt", "approx ftz", build_approximate},
  };
  return rows;
}

}  // namespace ptx
