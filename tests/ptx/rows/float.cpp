// Floats of 32 and 64 bits: exact operations in every rounding.
#include <cfenv>
#include <cmath>
#include <cstring>
#include <limits>

#include "tests/ptx/rows/steps.h"

namespace ptx {
namespace {

constexpr auto kAdd = []<class T>(T a, T b) -> T { return a + b; };
constexpr auto kSubtract = []<class T>(T a, T b) -> T { return a - b; };
constexpr auto kMultiply = []<class T>(T a, T b) -> T { return a * b; };
constexpr auto kDivide = []<class T>(T a, T b) -> T { return a / b; };
constexpr auto kFused = []<class T>(T a, T b, T c) -> T { return std::fma(a, b, c); };
// Of a number and a NaN, returns the number; -0 is less than 0.
constexpr auto kLeast = []<class T>(T a, T b) -> T {
  if (a == b) return std::signbit(a) ? a : b;
  return std::fmin(a, b);
};
constexpr auto kMost = []<class T>(T a, T b) -> T {
  if (a == b) return std::signbit(a) ? b : a;
  return std::fmax(a, b);
};
constexpr auto kNegate = []<class T>(T a) -> T { return -a; };
constexpr auto kAbsolute = []<class T>(T a) -> T { return std::fabs(a); };
constexpr auto kRoot = []<class T>(T a) -> T { return std::sqrt(a); };
constexpr auto kReciprocal = []<class T>(T a) -> T { return 1 / a; };
// PTX takes the sign of the first operand, the library the sign of the second.
constexpr auto kCopySign = []<class T>(T a, T b) -> T { return std::copysign(b, a); };

#if defined(__x86_64__)
#define LCSM_WITH_FMA __attribute__((target("avx2,fma")))
// A whole warp at once where the processor has the instruction; the library's function elsewhere.
template <class T>
LCSM_WITH_FMA void fused_fast(const Instruction& i, Warp& w, u32 mask) {
  T* to = w.at<T>(i.at[0]);
  const T *a = w.at<T>(i.at[1]), *b = w.at<T>(i.at[2]), *c = w.at<T>(i.at[3]);
  if (mask == kWholeWarp) {
    T result[32];
    for (int l = 0; l < 32; ++l) result[l] = __builtin_fma(a[l], b[l], c[l]);
    std::memcpy(to, result, sizeof result);
  } else {
    for (; mask != 0; mask &= mask - 1) {
      const int l = std::countr_zero(mask);
      to[l] = __builtin_fma(a[l], b[l], c[l]);
    }
  }
}
template <>
LCSM_WITH_FMA void fused_fast<float>(const Instruction& i, Warp& w, u32 mask) {
  float* to = w.at<float>(i.at[0]);
  const float *a = w.at<float>(i.at[1]), *b = w.at<float>(i.at[2]), *c = w.at<float>(i.at[3]);
  if (mask == kWholeWarp) {
    float result[32];
    for (int l = 0; l < 32; ++l) result[l] = __builtin_fmaf(a[l], b[l], c[l]);
    std::memcpy(to, result, sizeof result);
  } else {
    for (; mask != 0; mask &= mask - 1) {
      const int l = std::countr_zero(mask);
      to[l] = __builtin_fmaf(a[l], b[l], c[l]);
    }
  }
}
#endif

Step fused(Type type) {
#if defined(__x86_64__)
  static const bool fast =
      __builtin_cpu_supports("fma") != 0 && __builtin_cpu_supports("avx2") != 0;
  if (fast && type == Type::kF32) return fused_fast<float>;
  if (fast && type == Type::kF64) return fused_fast<double>;
#endif
  return float_step<3, kFused>(type);
}

float flushed(float x) { return std::fabs(x) < 0x1p-126f ? std::copysign(0.0f, x) : x; }

int mode_of(Rounding rounding) {
  switch (rounding) {
    case Rounding::kZero:
      return FE_TOWARDZERO;
    case Rounding::kDown:
      return FE_DOWNWARD;
    case Rounding::kUp:
      return FE_UPWARD;
    default:
      return FE_TONEAREST;
  }
}

template <class T>
T clamped(T x) {
  return std::isnan(x) || x < 0 ? T{0} : x > 1 ? T{1} : x;
}

// Runs the plain instruction on flushed copies after the last operand, in its rounding, then
// flushes and clamps the result.
template <class T>
void careful(const Instruction& i, Warp& w, u32 mask) {
  for (int k = 1; k < i.operands; ++k) {
    T* copy = w.at<T>(i.inner->at[k]);
    std::memcpy(copy, w.at<T>(i.at[k]), 32 * sizeof(T));
    if constexpr (sizeof(T) == 4)
      if (i.flush) lanes(mask, [=](int l) { copy[l] = flushed(copy[l]); });
  }
  std::fesetround(mode_of(i.rounding));
  i.inner->step(*i.inner, w, mask);
  std::fesetround(FE_TONEAREST);
  const T* result = w.at<T>(i.inner->at[0]);
  T* to = w.at<T>(i.at[0]);
  lanes(mask, [&](int l) {
    T x = result[l];
    if constexpr (sizeof(T) == 4)
      if (i.flush) x = flushed(x);
    to[l] = i.saturate ? clamped(x) : x;
  });
}

template <int N, auto F>
void build(Decoder& d) {
  same_operands(d, N + 1);
  d.i.step = float_step<N, F>(d.type());
  make_careful(d);
}

void build_fused(Decoder& d) {
  same_operands(d, 4);
  d.i.step = fused(d.type());
  make_careful(d);
}

bool real(const Decoder& d) { return d.type() == Type::kF32 || d.type() == Type::kF64; }

}  // namespace

void build_integer(Decoder& d);
void build_approximate(Decoder& d);

void set_rounding(Decoder& d) {
  const std::string name = d.among("rz rm rp rzi rmi rpi rna");
  if (name.empty()) return;
  d.i.rounding = name == "rna"    ? Rounding::kAway
                 : name[1] == 'z' ? Rounding::kZero
                 : name[1] == 'm' ? Rounding::kDown
                                  : Rounding::kUp;
}

void make_careful(Decoder& d) {
  set_rounding(d);
  d.i.flush = d.has("ftz");
  d.i.saturate = d.has("sat");
  const bool plain = !d.i.flush && !d.i.saturate && d.i.rounding == Rounding::kNearest;
  if (plain || d.i.step == nullptr) return;
  auto inner = std::make_shared<Instruction>(d.i);
  for (int k = 0; k < inner->operands; ++k) inner->at[k] = d.builder.take(8);
  d.i.inner = std::move(inner);
  d.i.step = d.type() == Type::kF32 ? Step{careful<float>} : Step{careful<double>};
}

void build_float_or_integer(Decoder& d);

// max.NaN.bf16x2 d, a, b: of each half.
void most_of_pairs(const Instruction& i, Warp& w, u32 mask) {
  const u32 *a = w.at<u32>(i.at[1]), *b = w.at<u32>(i.at[2]);
  u32* to = w.at<u32>(i.at[0]);
  lanes(mask, [=](int l) {
    u32 both = 0;
    for (int half = 0; half < 32; half += 16) {
      const float x = std::bit_cast<float>(a[l] >> half << 16),
                  y = std::bit_cast<float>(b[l] >> half << 16);
      const u32 most =
          std::isnan(x) || std::isnan(y) ? 0x7fffu : std::bit_cast<u32>(kMost(x, y)) >> 16;
      both |= most << half;
    }
    to[l] = both;
  });
}
constexpr auto kLeastOrNan = []<class T>(T a, T b) -> T {
  return std::isnan(a) || std::isnan(b) ? std::numeric_limits<T>::quiet_NaN() : kLeast(a, b);
};
constexpr auto kMostOrNan = []<class T>(T a, T b) -> T {
  return std::isnan(a) || std::isnan(b) ? std::numeric_limits<T>::quiet_NaN() : kMost(a, b);
};
void build_least(Decoder& d) {
  return real(d) && d.has("NaN") ? build<2, kLeastOrNan>(d) : build_float_or_integer(d);
}
void build_most(Decoder& d) {
  if (!d.has("NaN")) return build_float_or_integer(d);
  if (d.type() != Type::kBf16x2) return build<2, kMostOrNan>(d);
  d.expect(3, 3);
  d.out(0, d.type());
  d.in(1, d.type());
  d.in(2, d.type());
  d.i.step = most_of_pairs;
}

void build_float_or_integer(Decoder& d) {
  const std::string& name = d.parts[0];
  if (!real(d)) return build_integer(d);
  if (d.has("approx") || d.has("full")) return build_approximate(d);
  if (name == "add") return build<2, kAdd>(d);
  if (name == "sub") return build<2, kSubtract>(d);
  if (name == "mul") return build<2, kMultiply>(d);
  if (name == "div") return build<2, kDivide>(d);
  if (name == "mad" || name == "fma") return build_fused(d);
  if (name == "min") return build<2, kLeast>(d);
  if (name == "max") return build<2, kMost>(d);
  if (name == "neg") return build<1, kNegate>(d);
  if (name == "abs") return build<1, kAbsolute>(d);
  if (name == "sqrt") return build<1, kRoot>(d);
  if (name == "rcp") return build<1, kReciprocal>(d);
}

const Rows& float_rows() {
  static const Rows rows = {
      {"add", "rn rz rm rp ftz sat", build_float_or_integer},
      {"sub", "rn rz rm rp ftz sat", build_float_or_integer},
      {"mul", "lo hi wide rn rz rm rp ftz sat", build_float_or_integer},
      {"div", "rn rz rm rp ftz approx full", build_float_or_integer},
      {"fma", "rn rz rm rp ftz sat", build_float_or_integer},
      {"min", "ftz NaN", build_least},
      {"max", "ftz NaN", build_most},
      {"neg", "ftz", build_float_or_integer},
      {"abs", "ftz", build_float_or_integer},
      {"sqrt", "rn rz rm rp ftz approx", build_float_or_integer},
      {"rcp", "rn rz rm rp ftz approx", build_float_or_integer},
      {"copysign", "", build<2, kCopySign>},
  };
  return rows;
}

}  // namespace ptx
