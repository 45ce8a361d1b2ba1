// Steps of a transform over vectors of channels. A point is a complex vector: its real parts, then
// its imaginary parts. Forward steps take points from natural to scrambled order, inverse ones
// back.
#if defined(ETS_CPU_FFT_PASS_CPU_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ETS_CPU_FFT_PASS_CPU_INL_H_
#undef ETS_CPU_FFT_PASS_CPU_INL_H_
#else
#define ETS_CPU_FFT_PASS_CPU_INL_H_
#endif

#include <hwy/highway.h>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

HWY_BEFORE_NAMESPACE();
namespace ets::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// 32 bytes: two spectra of 8192 points stay in a cache of 1 MB, and wider vectors gain little.
template <class T>
using Tag = hn::CappedTag<T, 32 / sizeof(T)>;
template <class T>
using V = hn::Vec<Tag<T>>;

template <class T>
HWY_INLINE std::int64_t lanes() {
  return static_cast<std::int64_t>(hn::Lanes(Tag<T>()));
}

template <class T>
struct Point {
  V<T> re, im;
};

template <class T>
HWY_INLINE Point<T> operator+(const Point<T>& a, const Point<T>& b) {
  return {hn::Add(a.re, b.re), hn::Add(a.im, b.im)};
}
template <class T>
HWY_INLINE Point<T> operator-(const Point<T>& a, const Point<T>& b) {
  return {hn::Sub(a.re, b.re), hn::Sub(a.im, b.im)};
}
template <class T>
HWY_INLINE Point<T> operator*(const Point<T>& a, const Point<T>& b) {
  return {hn::NegMulAdd(a.im, b.im, hn::Mul(a.re, b.re)),
          hn::MulAdd(a.im, b.re, hn::Mul(a.re, b.im))};
}
// a conj(b)
template <class T>
HWY_INLINE Point<T> times_conjugate(const Point<T>& a, const Point<T>& b) {
  return {hn::MulAdd(a.im, b.im, hn::Mul(a.re, b.re)),
          hn::NegMulAdd(a.re, b.im, hn::Mul(a.im, b.re))};
}
template <class T>
HWY_INLINE Point<T> times_i(const Point<T>& a) {
  return {hn::Neg(a.im), a.re};
}

template <class T>
HWY_INLINE Point<T> number(T re, T im) {
  return {hn::Set(Tag<T>(), re), hn::Set(Tag<T>(), im)};
}

template <class T>
HWY_INLINE Point<T> load(const T* points, std::int64_t p) {
  const T* at = points + 2 * lanes<T>() * p;
  return {hn::LoadU(Tag<T>(), at), hn::LoadU(Tag<T>(), at + lanes<T>())};
}
template <class T>
HWY_INLINE void store(const Point<T>& point, T* points, std::int64_t p) {
  T* at = points + 2 * lanes<T>() * p;
  hn::StoreU(point.re, Tag<T>(), at);
  hn::StoreU(point.im, Tag<T>(), at + lanes<T>());
}

// Sums over four points with the powers of -i (forward) or i.
template <bool kForward, class T>
HWY_INLINE void turn4(Point<T>* x) {
  const Point<T> a = x[0] + x[2], b = x[0] - x[2], c = x[1] + x[3], d = times_i(x[1] - x[3]);
  x[0] = a + c;
  x[1] = kForward ? b - d : b + d;
  x[2] = a - c;
  x[3] = kForward ? b + d : b - d;
}

template <bool kForward, class T>
HWY_INLINE void turn3(Point<T>* x) {
  const auto half = hn::Set(Tag<T>(), T(-0.5));
  const auto root = hn::Set(Tag<T>(), T(0.86602540378443864676));
  const Point<T> sum = x[1] + x[2], difference = times_i(x[1] - x[2]);
  const Point<T> middle = {hn::MulAdd(half, sum.re, x[0].re), hn::MulAdd(half, sum.im, x[0].im)};
  const Point<T> side = {hn::Mul(root, difference.re), hn::Mul(root, difference.im)};
  x[0] = x[0] + sum;
  x[1] = kForward ? middle - side : middle + side;
  x[2] = kForward ? middle + side : middle - side;
}

// The factor exp(-2 pi i k / leaf).
template <class T>
Point<T> leaf_factor(int leaf, int k) {
  constexpr T kHalf = T(0.5), kRoot3 = T(0.86602540378443864676),
              kRoot2 = T(0.70710678118654752440);
  if (leaf == 6) return k == 1 ? number<T>(kHalf, -kRoot3) : number<T>(-kHalf, -kRoot3);
  return k == 1   ? number<T>(kRoot2, -kRoot2)
         : k == 2 ? number<T>(0, -1)
                  : number<T>(-kRoot2, -kRoot2);
}

// The last transform, of `leaf` points in registers.
template <int leaf, class T>
HWY_INLINE void leaf_forward(Point<T>* x) {
  if constexpr (leaf == 3) {
    turn3<true>(x);
  } else if constexpr (leaf == 4) {
    turn4<true>(x);
  } else {
    constexpr int half = leaf / 2;
    for (int k = 0; k < half; ++k) {
      const Point<T> sum = x[k] + x[k + half], difference = x[k] - x[k + half];
      x[k] = sum;
      x[k + half] = k == 0 ? difference : difference * leaf_factor<T>(leaf, k);
    }
    leaf_forward<half>(x);
    leaf_forward<half>(x + half);
  }
}

template <int leaf, class T>
HWY_INLINE void leaf_inverse(Point<T>* x) {
  if constexpr (leaf == 3) {
    turn3<false>(x);
  } else if constexpr (leaf == 4) {
    turn4<false>(x);
  } else {
    constexpr int half = leaf / 2;
    leaf_inverse<half>(x);
    leaf_inverse<half>(x + half);
    for (int k = 0; k < half; ++k) {
      const Point<T> other =
          k == 0 ? x[k + half] : times_conjugate(x[k + half], leaf_factor<T>(leaf, k));
      x[k + half] = x[k] - other;
      x[k] = x[k] + other;
    }
  }
}

// Points j, j + N / 4, ... of a step by four, with three factors: read(p) gives point p, the
// results go to `points`.
template <class T, class Read>
HWY_INLINE void turn_forward(std::int64_t N, std::int64_t j, const T* factors, const Read& read,
                             T* points) {
  const std::int64_t q = N / 4;
  Point<T> x[4] = {read(j), read(j + q), read(j + 2 * q), read(j + 3 * q)};
  turn4<true>(x);
  store(x[0], points, j);
  for (int m = 1; m < 4; ++m)
    store(x[m] * number(factors[2 * m - 2], factors[2 * m - 1]), points, j + m * q);
}

// Its inverse, times 4: write(p, point).
template <class T, class Write>
HWY_INLINE void turn_inverse(std::int64_t N, std::int64_t j, const T* factors, const T* points,
                             const Write& write) {
  const std::int64_t q = N / 4;
  Point<T> x[4];
  x[0] = load(points, j);
  for (int m = 1; m < 4; ++m)
    x[m] = times_conjugate(load(points, j + m * q), number(factors[2 * m - 2], factors[2 * m - 1]));
  turn4<false>(x);
  for (int m = 0; m < 4; ++m) write(j + m * q, x[m]);
}

template <class T>
void forward_in_place(T* a, std::int64_t N, const T* factors) {
  for (std::int64_t j = 0; j < N / 4; ++j, factors += 6)
    turn_forward(
        N, j, factors, [a](std::int64_t p) HWY_ATTR { return load<T>(a, p); }, a);
}
template <class T>
void inverse_in_place(T* a, std::int64_t N, const T* factors) {
  for (std::int64_t j = 0; j < N / 4; ++j, factors += 6)
    turn_inverse(N, j, factors, static_cast<const T*>(a),
                 [a](std::int64_t p, const Point<T>& point) HWY_ATTR { store(point, a, p); });
}

// All steps, depth first; factors by level.
template <int leaf, class T>
void spectrum(T* a, std::int64_t N, std::span<const std::vector<T>> factors) {
  if (N == leaf) {
    Point<T> x[leaf];
    for (int p = 0; p < leaf; ++p) x[p] = load(static_cast<const T*>(a), p);
    leaf_forward<leaf>(x);
    for (int p = 0; p < leaf; ++p) store(x[p], a, p);
    return;
  }
  forward_in_place(a, N, factors[0].data());
  for (std::int64_t s = 0; s < 4; ++s)
    spectrum<leaf>(a + 2 * lanes<T>() * s * (N / 4), N / 4, factors.subspan(1));
}
template <int leaf, class T>
void inverse(T* a, std::int64_t N, std::span<const std::vector<T>> factors) {
  if (N == leaf) {
    Point<T> x[leaf];
    for (int p = 0; p < leaf; ++p) x[p] = load(static_cast<const T*>(a), p);
    leaf_inverse<leaf>(x);
    for (int p = 0; p < leaf; ++p) store(x[p], a, p);
    return;
  }
  for (std::int64_t s = 0; s < 4; ++s)
    inverse<leaf>(a + 2 * lanes<T>() * s * (N / 4), N / 4, factors.subspan(1));
  inverse_in_place(a, N, factors[0].data());
}

}  // namespace
}  // namespace ets::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
