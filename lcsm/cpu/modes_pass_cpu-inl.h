// The loops of the sum of modes over a block of a strip, per target (include inside
// foreach_target).
#if defined(LCSM_MODES_PASS_CPU_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LCSM_MODES_PASS_CPU_INL_H_
#undef LCSM_MODES_PASS_CPU_INL_H_
#else
#define LCSM_MODES_PASS_CPU_INL_H_
#endif

#include "lcsm/cpu/modes_rows_cpu-inl.h"

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

// Some modes of some vectors of a strip. Rows of q and c are `columns` apart, rows of z a strip;
// imaginary parts follow after `q_parts` and `z_parts` numbers.
template <class T>
struct Tile {
  const T *q = nullptr, *c = nullptr;
  std::int64_t columns = 0, q_parts = 0;
  T* z = nullptr;
  std::int64_t z_parts = 0;
};

enum class Reads : std::uint8_t {
  kAfter,    // y from z after or before its step
  kBefore,   //
  kNothing,  // only z
};

// The loop: kModes modes of kWide vectors stay in registers over the steps of a block.
template <int kParts, int kModes, int kWide, Reads kReads, class In, class Out, class T>
HWY_NOINLINE void pass(std::int64_t steps, In x, Out y, const Tile<T>& s) {
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
  for (std::int64_t t = 0; t < steps; ++t, x.step()) {
#pragma GCC unroll 8
    for (int v = 0; v < kWide; ++v) {
      const V now = x.read(v);
      V sum = hn::Zero(d);
      if constexpr (kSums) sum = y.begin(v, now);
#pragma GCC unroll 8
      for (int n = 0; n < kModes; ++n) {
        if constexpr (kReads == Reads::kBefore) sum = read_add(c[n][v], z[n][v], sum);
        z[n][v] = next(q[n][v], z[n][v], now);
        if constexpr (kReads == Reads::kAfter) sum = read_add(c[n][v], z[n][v], sum);
      }
      if constexpr (kSums) y.end(v, sum);
    }
    if constexpr (kSums) y.step();
  }
#pragma GCC unroll 8
  for (int n = 0; n < kModes; ++n)
#pragma GCC unroll 8
    for (int v = 0; v < kWide; ++v) store<kParts>(z[n][v], s.z + n * width + v * lanes, s.z_parts);
}

template <int kParts, int kModes, int kWide, class In, class Out, class T>
HWY_INLINE void pass_reading(bool late, std::int64_t steps, const In& x, const Out& y,
                             const Tile<T>& s) {
  if (late)
    pass<kParts, kModes, kWide, Reads::kBefore>(steps, x, y, s);
  else
    pass<kParts, kModes, kWide, Reads::kAfter>(steps, x, y, s);
}

// The loop of the gradients of q and c, in the order of u: with v_t the derivative of u_t by q, 0
// before the block, d_y_u and w_u receive the sums of d_y u and of d_y v. v is left as it is after
// the block, where w_u lacks its product with what enters w there.
template <int kParts, int kModes, int kWide, bool kLate, class In, class T>
HWY_NOINLINE void pass_sums(std::int64_t steps, In x, In d_y, const Tile<T>& s, T* v_last, T* d_y_u,
                            T* w_u) {
  using V = hn::Vec<Tag<T>>;
  const Tag<T> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d)), width = kVectors * lanes;
  Number<T, kParts> q[kModes][kWide], u[kModes][kWide], v[kModes][kWide];
  Number<T, kParts> reads[kModes][kWide], decays[kModes][kWide];
#pragma GCC unroll 8
  for (int n = 0; n < kModes; ++n)
#pragma GCC unroll 8
    for (int i = 0; i < kWide; ++i) {
      const std::int64_t at = n * width + i * lanes;
      q[n][i] = load<kParts>(s.q + n * s.columns + i * lanes, s.q_parts);
      u[n][i] = load<kParts>(s.z + at, s.z_parts);
#pragma GCC unroll 8
      for (int p = 0; p < kParts; ++p) v[n][i].part[p] = hn::Zero(d);
      reads[n][i] = load<kParts>(d_y_u + at, s.z_parts);
      decays[n][i] = load<kParts>(w_u + at, s.z_parts);
    }
  const auto add = [&](const Number<T, kParts>& z, V weight, Number<T, kParts>* sum) {
#pragma GCC unroll 8
    for (int p = 0; p < kParts; ++p) sum->part[p] = hn::MulAdd(weight, z.part[p], sum->part[p]);
  };
  for (std::int64_t t = 0; t < steps; ++t, x.step(), d_y.step())
#pragma GCC unroll 8
    for (int i = 0; i < kWide; ++i) {
      const V now = x.read(i), weight = d_y.read(i);
#pragma GCC unroll 8
      for (int n = 0; n < kModes; ++n) {
        if constexpr (kLate) {
          add(u[n][i], weight, &reads[n][i]);
          add(v[n][i], weight, &decays[n][i]);
        }
        v[n][i] = multiply_add(q[n][i], v[n][i], u[n][i]);
        u[n][i] = next(q[n][i], u[n][i], now);
        if constexpr (!kLate) {
          add(u[n][i], weight, &reads[n][i]);
          add(v[n][i], weight, &decays[n][i]);
        }
      }
    }
#pragma GCC unroll 8
  for (int n = 0; n < kModes; ++n)
#pragma GCC unroll 8
    for (int i = 0; i < kWide; ++i) {
      const std::int64_t at = n * width + i * lanes;
      store<kParts>(u[n][i], s.z + at, s.z_parts);
      store<kParts>(v[n][i], v_last + at, s.z_parts);
      store<kParts>(reads[n][i], d_y_u + at, s.z_parts);
      store<kParts>(decays[n][i], w_u + at, s.z_parts);
    }
}

template <int kParts, int kModes, int kWide, class In, class T>
HWY_INLINE void pass_summing(bool late, std::int64_t steps, const In& x, const In& d_y,
                             const Tile<T>& u, T* v_last, T* d_y_u, T* w_u) {
  if (late)
    pass_sums<kParts, kModes, kWide, true>(steps, x, d_y, u, v_last, d_y_u, w_u);
  else
    pass_sums<kParts, kModes, kWide, false>(steps, x, d_y, u, v_last, d_y_u, w_u);
}

// w_u += w v, the w that enters at the end of the block, or q w where reads are not late.
template <int kParts, int kModes, int kWide, class T>
HWY_INLINE void add_entered(bool late, const Tile<T>& w, const T* v_last, T* w_u) {
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(Tag<T>())), width = kVectors * lanes;
#pragma GCC unroll 8
  for (int n = 0; n < kModes; ++n)
#pragma GCC unroll 8
    for (int i = 0; i < kWide; ++i) {
      const std::int64_t at = n * width + i * lanes;
      auto entered = load<kParts>(w.z + at, w.z_parts);
      if (!late)
        entered = multiply(load<kParts>(w.q + n * w.columns + i * lanes, w.q_parts), entered);
      store<kParts>(multiply_add(entered, load<kParts>(v_last + at, w.z_parts),
                                 load<kParts>(w_u + at, w.z_parts)),
                    w_u + at, w.z_parts);
    }
}

}  // namespace lcsm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
