// The loops of the sum of modes over a block of a strip, per target (include inside
// foreach_target).
#if defined(LCSM_MODES_PASS_CPU_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LCSM_MODES_PASS_CPU_INL_H_
#undef LCSM_MODES_PASS_CPU_INL_H_
#else
#define LCSM_MODES_PASS_CPU_INL_H_
#endif

#include <algorithm>
#include <cstdint>

#include "lcsm/cpu/modes/modes_rows_cpu-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lcsm::HWY_NAMESPACE {

// A number for each lane: real, or real and imaginary.
template <class T, int kParts>
struct Number {
  hn::Vec<Tag<T>> part[kParts];
};
template <int kParts, class T>
HWY_INLINE Number<T, kParts> load(const T* from, std::int64_t imaginary) {
  Number<T, kParts> z;
  for (int p = 0; p < kParts; ++p) z.part[p] = hn::Load(Tag<T>(), from + p * imaginary);
  return z;
}
template <int kParts, class T>
HWY_INLINE void store(const Number<T, kParts>& z, T* to, std::int64_t imaginary) {
  for (int p = 0; p < kParts; ++p) hn::Store(z.part[p], Tag<T>(), to + p * imaginary);
}

// sum + a b
template <class T, int kParts>
HWY_INLINE Number<T, kParts> multiply_add(const Number<T, kParts>& a, const Number<T, kParts>& b,
                                          Number<T, kParts> sum) {
  sum.part[0] = hn::MulAdd(a.part[0], b.part[0], sum.part[0]);
  if constexpr (kParts == 2) {
    sum.part[0] = hn::NegMulAdd(a.part[1], b.part[1], sum.part[0]);
    sum.part[1] = hn::MulAdd(a.part[0], b.part[1], sum.part[1]);
    sum.part[1] = hn::MulAdd(a.part[1], b.part[0], sum.part[1]);
  }
  return sum;
}

// a b
template <class T, int kParts>
HWY_INLINE Number<T, kParts> multiply(const Number<T, kParts>& a, const Number<T, kParts>& b) {
  Number<T, kParts> z;
  for (int p = 0; p < kParts; ++p) z.part[p] = hn::Zero(Tag<T>());
  return multiply_add(a, b, z);
}

// q z + x, x real
template <class T, int kParts>
HWY_INLINE Number<T, kParts> next(const Number<T, kParts>& q, const Number<T, kParts>& z,
                                  hn::Vec<Tag<T>> x) {
  if constexpr (kParts == 1) {
    return {{hn::MulAdd(q.part[0], z.part[0], x)}};
  } else {
    return {{hn::MulAdd(q.part[0], z.part[0], hn::NegMulAdd(q.part[1], z.part[1], x)),
             hn::MulAdd(q.part[0], z.part[1], hn::Mul(q.part[1], z.part[0]))}};
  }
}

// sum + Re(c z)
template <class T, int kParts>
HWY_INLINE hn::Vec<Tag<T>> read_add(const Number<T, kParts>& c, const Number<T, kParts>& z,
                                    hn::Vec<Tag<T>> sum) {
  sum = hn::MulAdd(c.part[0], z.part[0], sum);
  if constexpr (kParts == 2) sum = hn::NegMulAdd(c.part[1], z.part[1], sum);
  return sum;
}

// Some modes of some vectors of a strip. Rows of q and c are `columns` apart, rows of z the width
// of a strip; imaginary parts follow after `q_parts` and `z_parts` numbers.
template <class T>
struct Tile {
  const T *q = nullptr, *c = nullptr;
  std::int64_t columns = 0, q_parts = 0;
  T* z = nullptr;
  std::int64_t z_parts = 0;
};

enum class Reads : std::uint8_t {
  kAfter,    // y reads z after its step
  kBefore,   // y reads z before its step
  kNothing,  // no y: only z advances
};

// Calls step() for each step, and errands between steps.
template <class T, class Step>
HWY_INLINE void in_steps(std::int64_t steps, Errands<T>* errands, const Step& step) {
  for (std::int64_t left = steps; left > 0; left -= errands->every) {
    for (std::int64_t n = std::min(left, errands->every); n > 0; --n) step();
    errands->run();
  }
}

// The loop: kModes modes of kWide vectors stay in registers over the steps of a block.
template <int kParts, int kModes, int kWide, Reads kReads, class In, class Out, class T>
HWY_NOINLINE void pass(std::int64_t steps, In x, Out y, const Tile<T>& s, Errands<T> errands) {
  using V = hn::Vec<Tag<T>>;
  const Tag<T> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d)), width = kVectors * lanes;
  constexpr bool kSums = kReads != Reads::kNothing;
  Number<T, kParts> q[kModes][kWide], c[kModes][kWide], z[kModes][kWide];
#pragma GCC unroll 8
  for (int n = 0; n < kModes; ++n)
#pragma GCC unroll 8
    for (int v = 0; v < kWide; ++v) {
      q[n][v] = load<kParts>(s.q + n * s.columns + v * lanes, s.q_parts);
      if constexpr (kSums) c[n][v] = load<kParts>(s.c + n * s.columns + v * lanes, s.q_parts);
      z[n][v] = load<kParts>(s.z + n * width + v * lanes, s.z_parts);
    }
  in_steps(steps, &errands, [&]() HWY_ATTR {
#pragma GCC unroll 8
    for (int v = 0; v < kWide; ++v) {
      const V now = x.read(v);
      V sum = hn::Zero(d);
      if constexpr (kSums) sum = y.begin(v);
#pragma GCC unroll 8
      for (int n = 0; n < kModes; ++n) {
        if constexpr (kReads == Reads::kBefore) sum = read_add(c[n][v], z[n][v], sum);
        z[n][v] = next(q[n][v], z[n][v], now);
        if constexpr (kReads == Reads::kAfter) sum = read_add(c[n][v], z[n][v], sum);
      }
      if constexpr (kSums) y.end(v, sum);
    }
    x.step();
    if constexpr (kSums) y.step();
  });
#pragma GCC unroll 8
  for (int n = 0; n < kModes; ++n)
#pragma GCC unroll 8
    for (int v = 0; v < kWide; ++v) store<kParts>(z[n][v], s.z + n * width + v * lanes, s.z_parts);
}

template <int kParts, int kModes, int kWide, class In, class Out, class T>
HWY_INLINE void pass_reading(bool late, std::int64_t steps, const In& x, const Out& y,
                             const Tile<T>& s, const Errands<T>& errands) {
  if (late)
    pass<kParts, kModes, kWide, Reads::kBefore>(steps, x, y, s, errands);
  else
    pass<kParts, kModes, kWide, Reads::kAfter>(steps, x, y, s, errands);
}

// Advances z step by step, tile after tile; stores z before each step in `kept`.
template <int kParts, int kModes, int kWide, class In, class T>
HWY_NOINLINE void pass_keeping(std::int64_t steps, In x, T* kept, const Tile<T>& s,
                               Errands<T> errands) {
  const Tag<T> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d)), width = kVectors * lanes;
  Number<T, kParts> q[kModes][kWide], z[kModes][kWide];
#pragma GCC unroll 8
  for (int n = 0; n < kModes; ++n)
#pragma GCC unroll 8
    for (int v = 0; v < kWide; ++v) {
      q[n][v] = load<kParts>(s.q + n * s.columns + v * lanes, s.q_parts);
      z[n][v] = load<kParts>(s.z + n * width + v * lanes, s.z_parts);
    }
  in_steps(steps, &errands, [&]() HWY_ATTR {
#pragma GCC unroll 8
    for (int v = 0; v < kWide; ++v) {
      const auto now = x.read(v);
#pragma GCC unroll 8
      for (int n = 0; n < kModes; ++n) {
        store<kParts>(z[n][v], kept + kParts * (v * kModes + n) * lanes, lanes);
        z[n][v] = next(q[n][v], z[n][v], now);
      }
    }
    x.step();
    kept += kParts * kModes * kWide * lanes;
  });
#pragma GCC unroll 8
  for (int n = 0; n < kModes; ++n)
#pragma GCC unroll 8
    for (int v = 0; v < kWide; ++v) store<kParts>(z[n][v], s.z + n * width + v * lanes, s.z_parts);
}

// The gradient, from the last step to the first: s is the tile of w, `kept` points to u_{t-1} of
// the last step t. w_x and w_u receive the sums of w x and w u.
template <int kParts, int kModes, int kWide, Reads kReads, class In, class X, class Out, class T>
HWY_NOINLINE void pass_back(std::int64_t steps, In d_y, X x, Out d_x, const T* kept,
                            const Tile<T>& s, T* w_x, T* w_u, Errands<T> errands) {
  using V = hn::Vec<Tag<T>>;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(Tag<T>())), width = kVectors * lanes;
  Number<T, kParts> q[kModes][kWide], c[kModes][kWide], w[kModes][kWide];
  Number<T, kParts> inputs[kModes][kWide], decays[kModes][kWide];
#pragma GCC unroll 8
  for (int n = 0; n < kModes; ++n)
#pragma GCC unroll 8
    for (int v = 0; v < kWide; ++v) {
      const std::int64_t from = n * s.columns + v * lanes, at = n * width + v * lanes;
      q[n][v] = load<kParts>(s.q + from, s.q_parts);
      c[n][v] = load<kParts>(s.c + from, s.q_parts);
      w[n][v] = load<kParts>(s.z + at, s.z_parts);
      inputs[n][v] = load<kParts>(w_x + at, s.z_parts);
      decays[n][v] = load<kParts>(w_u + at, s.z_parts);
    }
  in_steps(steps, &errands, [&]() HWY_ATTR {
#pragma GCC unroll 8
    for (int v = 0; v < kWide; ++v) {
      const V now = d_y.read(v), weight = x.read(v);
      V sum = d_x.begin(v);
#pragma GCC unroll 8
      for (int n = 0; n < kModes; ++n) {
        if constexpr (kReads == Reads::kAfter) w[n][v] = next(q[n][v], w[n][v], now);
        sum = read_add(c[n][v], w[n][v], sum);
        decays[n][v] = multiply_add(
            w[n][v], load<kParts>(kept + kParts * (v * kModes + n) * lanes, lanes), decays[n][v]);
#pragma GCC unroll 8
        for (int p = 0; p < kParts; ++p)
          inputs[n][v].part[p] = hn::MulAdd(weight, w[n][v].part[p], inputs[n][v].part[p]);
        if constexpr (kReads == Reads::kBefore) w[n][v] = next(q[n][v], w[n][v], now);
      }
      d_x.end(v, sum);
    }
    d_y.step();
    x.step();
    d_x.step();
    kept -= kParts * kModes * kWide * lanes;
  });
#pragma GCC unroll 8
  for (int n = 0; n < kModes; ++n)
#pragma GCC unroll 8
    for (int v = 0; v < kWide; ++v) {
      const std::int64_t at = n * width + v * lanes;
      store<kParts>(w[n][v], s.z + at, s.z_parts);
      store<kParts>(inputs[n][v], w_x + at, s.z_parts);
      store<kParts>(decays[n][v], w_u + at, s.z_parts);
    }
}

template <int kParts, int kModes, int kWide, class In, class X, class Out, class T>
HWY_INLINE void pass_back_reading(bool late, std::int64_t steps, const In& d_y, const X& x,
                                  const Out& d_x, const T* kept, const Tile<T>& w, T* w_x, T* w_u,
                                  const Errands<T>& errands) {
  if (late)
    pass_back<kParts, kModes, kWide, Reads::kBefore>(steps, d_y, x, d_x, kept, w, w_x, w_u,
                                                     errands);
  else
    pass_back<kParts, kModes, kWide, Reads::kAfter>(steps, d_y, x, d_x, kept, w, w_x, w_u, errands);
}

}  // namespace lcsm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
