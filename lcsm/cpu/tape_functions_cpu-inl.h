// The operands of a tape's instructions, and the instructions kExpTimes and kSigmoidPower, per
// target (include inside foreach_target).
#if defined(LCSM_TAPE_FUNCTIONS_CPU_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LCSM_TAPE_FUNCTIONS_CPU_INL_H_
#undef LCSM_TAPE_FUNCTIONS_CPU_INL_H_
#else
#define LCSM_TAPE_FUNCTIONS_CPU_INL_H_
#endif

#include <cstdint>
#include <utility>

#include "lcsm/cpu/math_cpu-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lcsm::HWY_NAMESPACE {

// Value (r, c) is data[r * row + (each ? c : 0)].
template <class T>
struct Operand {
  const T* data = nullptr;
  std::int64_t row = 0;
  bool each = false;
};

// Columns are whole vectors; the buffers have room for them.
struct Extent {
  std::int64_t rows, columns;
};

template <bool kEach, class T>
HWY_INLINE hn::Vec<Tag<T>> take(const T* row, std::int64_t c) {
  if constexpr (kEach) return hn::LoadU(Tag<T>(), row + c);
  return hn::Set(Tag<T>(), *row);
}

inline constexpr float kLog2E = 1.4426950408889634F;

// A formula's exp stops at the largest number whose reciprocal is not subnormal, which would be 0.
// Its product with a gradient of 0 is 0, as that of 1 / (1 + exp(x)) should be, where an infinite
// exp would give NaN.
template <class D, class V>
HWY_INLINE V finite(D d, V x) {
  const auto most = hn::Set(d, 1 / std::numeric_limits<hn::TFromD<D>>::min());
  return hn::IfThenElse(hn::Gt(x, most), most, x);
}

#if HWY_TARGET <= HWY_AVX3

// exp(a b). The rows of a are `row` apart; b is equal in every row.
template <bool kA, bool kB, int kVectors>
HWY_FLATTEN HWY_NOINLINE void map_exp_times(Extent size, const float* a, std::int64_t row,
                                            const float* b, float* out) {
  const Tag<float> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  hn::Vec<Tag<float>> scaled[kVectors];
  for (int v = 0; v < kVectors; ++v)
    scaled[v] = hn::Mul(take<kB>(b, v * lanes), hn::Set(d, kLog2E));
  for (std::int64_t r = 0; r < size.rows; ++r, a += row, out += size.columns)
    for (int v = 0; v < kVectors; ++v)
      hn::StoreU(finite(d, exp2_of_product(d, take<kA>(a, v * lanes), scaled[v])), d,
                 out + v * lanes);
}

template <bool kA, bool kB>
void map_exp_times(Extent size, Operand<float> a, Operand<float> b, float* out) {
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(Tag<float>()));
  std::int64_t c = 0;
  const auto some = [&](auto vectors) {
    constexpr int kVectors = decltype(vectors)::value;
    for (; c + kVectors * lanes <= size.columns; c += kVectors * lanes)
      map_exp_times<kA, kB, kVectors>(size, a.data + (kA ? c : 0), a.row, b.data + (kB ? c : 0),
                                      out + c);
  };
  some(std::integral_constant<int, 2>());
  some(std::integral_constant<int, 1>());
}

#endif

// True if each number of b, which is over channels or a single number, has a finite product with
// log2(e).
template <class T>
bool has_small_products(Operand<T> b, std::int64_t columns) {
  const Tag<T> d;
  bool all = true;
  for (std::int64_t c = 0; c < (b.each ? columns : 1);
       c += static_cast<std::int64_t>(hn::Lanes(d))) {
    const auto y = b.each ? take<true>(b.data, c) : take<false>(b.data, c);
    all &= hn::AllTrue(d, hn::Lt(hn::Abs(y), hn::Set(d, T(2e38))));
  }
  return all;
}

// Computes exp(a b) in fewer operations than exp of a product. Returns false if it cannot: it needs
// AVX-512, float32, and an a or b that is over channels or a number.
template <class T>
bool exp_times([[maybe_unused]] Extent n, [[maybe_unused]] Operand<T> a,
               [[maybe_unused]] Operand<T> b, [[maybe_unused]] T* out) {
#if HWY_TARGET <= HWY_AVX3
  if constexpr (sizeof(T) == 4) {
    if (b.row != 0) std::swap(a, b);
    if (b.row != 0 || !has_small_products(b, n.columns)) return false;
    if (a.each && b.each) return map_exp_times<true, true>(n, a, b, out), true;
    if (a.each) return map_exp_times<true, false>(n, a, b, out), true;
    return map_exp_times<false, true>(n, a, b, out), true;
  }
#endif
  return false;
}

// If c = -1 / n with n = 2^squarings, exp(c softplus(x)) has two factors, computed from v =
// exp(-|x| / n): v if x >= 0, else 1; and (1 + v^n)^c, a minimax polynomial of v^n with a relative
// error of at most 9e-8.
struct SigmoidRoot {
  int squarings;
  float factors[8];
};
inline constexpr SigmoidRoot kSigmoidRoots[] = {
    {2,
     {-0.00420168415F, 0.0214859229F, -0.0518489853F, 0.0842373446F, -0.114764862F, 0.155976683F,
      -0.24998799F, 0.99999994F}},
    {3,
     {-0.00167554733F, 0.00860670116F, -0.0209678244F, 0.0347068533F, -0.0488792323F, 0.070208557F,
      -0.124995463F, 0.99999994F}},
    {4,
     {-0.000742890057F, 0.0038248857F, -0.00936441589F, 0.0156512111F, -0.0224255938F,
      0.0331581272F, -0.0624980442F, 1.0F}},
};
inline const SigmoidRoot* sigmoid_root(double c) {
  for (const SigmoidRoot& root : kSigmoidRoots)
    if (c == -1.0 / (1 << root.squarings)) return &root;
  return nullptr;
}

// exp(c softplus(a b)), and c sigmoid(a b), the slope of its logarithm; slope null = not wanted.
// If `root` is given, the slope comes from v^n (SigmoidRoot), with a relative error of at most
// 3e-6.
template <int kCount, bool kA, bool kB, bool kSlope, class T>
HWY_INLINE void sigmoid_power_at(std::int64_t r, std::int64_t column, Extent size, Operand<T> a,
                                 Operand<T> b, T c, const SigmoidRoot* root, T* out, T* slope) {
  const Tag<T> d;
  const auto power = hn::Set(d, c), zero = hn::Zero(d);
  Pack<Tag<T>, kCount> x, u, y;
  each<kCount>([&](int n) {
    x.at[n] = hn::Mul(take<kA>(a.data + (r + n) * a.row, column),
                      take<kB>(b.data + (r + n) * b.row, column));
  });
  u = x;
  if (root) each<kCount>([&](int n) { u.at[n] = hn::Mul(u.at[n], power); });
  exp_down(d, u);
  y = u;
  for (int k = 0; root && k < root->squarings; ++k)
    each<kCount>([&](int n) { u.at[n] = hn::Mul(u.at[n], u.at[n]); });
  if constexpr (kSlope)
    each<kCount>([&](int n) {
      const auto share = hn::Mul(power, share_of_one(d, u.at[n]));
      hn::StoreU(hn::IfThenElse(hn::Ge(x.at[n], zero), share, hn::Mul(u.at[n], share)), d,
                 slope + (r + n) * size.columns + column);
    });
  if (root) {
    each<kCount>(
        [&](int n) { y.at[n] = hn::IfThenElse(hn::Lt(x.at[n], zero), hn::Set(d, T(1)), y.at[n]); });
    Pack<Tag<T>, kCount> q;
    each<kCount>([&](int n) { q.at[n] = hn::Set(d, static_cast<T>(root->factors[0])); });
    for (int k = 1; k < 8; ++k)
      each<kCount>([&](int n) {
        q.at[n] = hn::MulAdd(q.at[n], u.at[n], hn::Set(d, static_cast<T>(root->factors[k])));
      });
    each<kCount>([&](int n) { y.at[n] = hn::Mul(y.at[n], q.at[n]); });
  } else {
    log1p_of_share(d, u);
    each<kCount>(
        [&](int n) { y.at[n] = hn::Mul(power, hn::Add(hn::Max(x.at[n], zero), u.at[n])); });
    exp_below(d, y);
  }
  each<kCount>([&](int n) { hn::StoreU(y.at[n], d, out + (r + n) * size.columns + column); });
}

template <bool kA, bool kB, bool kSlope, bool kRoot, class T>
HWY_FLATTEN HWY_NOINLINE void map_sigmoid_power(Extent size, Operand<T> a, Operand<T> b, T c,
                                                const SigmoidRoot* given, T* out, T* slope) {
  constexpr int kCount = kWideRegisters ? 8 : 4;
  const SigmoidRoot* const root = kRoot ? given : nullptr;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(Tag<T>()));
  std::int64_t r = 0;
  for (; r + kCount <= size.rows; r += kCount)
    for (std::int64_t column = 0; column < size.columns; column += lanes)
      sigmoid_power_at<kCount, kA, kB, kSlope>(r, column, size, a, b, c, root, out, slope);
  for (; r < size.rows; ++r)
    for (std::int64_t column = 0; column < size.columns; column += lanes)
      sigmoid_power_at<1, kA, kB, kSlope>(r, column, size, a, b, c, root, out, slope);
}

template <class T>
void sigmoid_power(Extent n, Operand<T> a, Operand<T> b, T c, T* out, T* slope) {
  const SigmoidRoot* const root = sizeof(T) == 4 ? sigmoid_root(static_cast<double>(c)) : nullptr;
  const auto by = [&](auto a_each, auto b_each) {
    constexpr bool kA = decltype(a_each)::value, kB = decltype(b_each)::value;
    const auto run = [&](auto rooted) {
      constexpr bool kRoot = decltype(rooted)::value;
      if (slope) return map_sigmoid_power<kA, kB, true, kRoot>(n, a, b, c, root, out, slope);
      map_sigmoid_power<kA, kB, false, kRoot>(n, a, b, c, root, out, slope);
    };
    if constexpr (sizeof(T) == 4)
      if (root) return run(std::true_type());
    run(std::false_type());
  };
  // Either at least one is over cells, or one is over steps and the other over channels.
  if (a.each && b.each) return by(std::true_type(), std::true_type());
  if (a.each) return by(std::true_type(), std::false_type());
  by(std::false_type(), std::true_type());
}

}  // namespace lcsm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
