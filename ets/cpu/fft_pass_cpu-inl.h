// Steps of a transform over vectors of channels. A point is a complex vector: its real parts, then
// its imaginary parts. N points of a block are the coefficients of a polynomial modulo z^N - w^4. A
// step by four makes them four polynomials modulo z^(N/4) - w (-i)^s, s = 0 ... 3, and so on down
// to one point each, in scrambled order; inverse steps go back. All points of a block have the same
// factors.
#if defined(ETS_CPU_FFT_PASS_CPU_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ETS_CPU_FFT_PASS_CPU_INL_H_
#undef ETS_CPU_FFT_PASS_CPU_INL_H_
#else
#define ETS_CPU_FFT_PASS_CPU_INL_H_
#endif

#include <hwy/highway.h>

#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace ets::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Vectors of 32 bytes: two spectra of 4096 points stay in a cache of 512 KB, and wider vectors gain
// little.
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

// exp(-2 pi i k / R)
template <class T>
Point<T> root(int R, int k) {
  constexpr T kHalf = T(0.5), kRoot3 = T(0.86602540378443864676),
              kRoot2 = T(0.70710678118654752440);
  if (R == 6) return k == 1 ? number<T>(kHalf, -kRoot3) : number<T>(-kHalf, -kRoot3);
  return k == 1   ? number<T>(kRoot2, -kRoot2)
         : k == 2 ? number<T>(0, -1)
                  : number<T>(-kRoot2, -kRoot2);
}

// Sums over R points with the powers of exp(-2 pi i / R), even ones before odd ones if R is 6 or 8.
template <int R, class T>
HWY_INLINE void turn_forward(Point<T>* x) {
  if constexpr (R == 3) {
    turn3<true>(x);
  } else if constexpr (R == 4) {
    turn4<true>(x);
  } else {
    constexpr int half = R / 2;
    for (int k = 0; k < half; ++k) {
      const Point<T> sum = x[k] + x[k + half], difference = x[k] - x[k + half];
      x[k] = sum;
      x[k + half] = k == 0 ? difference : difference * root<T>(R, k);
    }
    turn_forward<half>(x);
    turn_forward<half>(x + half);
  }
}

template <int R, class T>
HWY_INLINE void turn_inverse(Point<T>* x) {
  if constexpr (R == 3) {
    turn3<false>(x);
  } else if constexpr (R == 4) {
    turn4<false>(x);
  } else {
    constexpr int half = R / 2;
    turn_inverse<half>(x);
    turn_inverse<half>(x + half);
    for (int k = 0; k < half; ++k) {
      const Point<T> other = k == 0 ? x[k + half] : times_conjugate(x[k + half], root<T>(R, k));
      x[k + half] = x[k] - other;
      x[k] = x[k] + other;
    }
  }
}

// a + w b and a - w b
template <class T>
HWY_INLINE Point<T> add_times(const Point<T>& a, const Point<T>& w, const Point<T>& b) {
  return {hn::NegMulAdd(w.im, b.im, hn::MulAdd(w.re, b.re, a.re)),
          hn::MulAdd(w.im, b.re, hn::MulAdd(w.re, b.im, a.im))};
}
template <class T>
HWY_INLINE Point<T> twice_less(const Point<T>& a, const Point<T>& sum) {
  const auto two = hn::Set(Tag<T>(), T(2));
  return {hn::MulSub(two, a.re, sum.re), hn::MulSub(two, a.im, sum.im)};
}

// The factors of a block: w, w^2, w^3.
template <class T>
struct Factors {
  explicit HWY_INLINE Factors(const T* at)
      : w{number(at[0], at[1]), number(at[2], at[3]), number(at[4], at[5])} {}
  Point<T> w[3];
};

template <class T>
HWY_INLINE void step_forward(const Factors<T>& by, Point<T>* x) {
  const Point<T> a = add_times(x[0], by.w[1], x[2]), b = twice_less(x[0], a);
  const Point<T> one = x[1] * by.w[0], c = add_times(one, by.w[2], x[3]);
  const Point<T> d = times_i(twice_less(one, c));
  x[0] = a + c;
  x[1] = b - d;
  x[2] = a - c;
  x[3] = b + d;
}
// The inverse of step_forward, times 4.
template <class T>
HWY_INLINE void step_inverse(const Factors<T>& by, Point<T>* x) {
  turn4<false>(x);
  for (int p = 1; p < 4; ++p) x[p] = times_conjugate(x[p], by.w[p - 1]);
}

template <bool kForward, class T>
void step_in_place(T* a, std::int64_t N, const T* factors) {
  const Factors<T> by(factors);
  const std::int64_t q = N / 4;
  for (std::int64_t j = 0; j < q; ++j) {
    Point<T> x[4];
    for (int p = 0; p < 4; ++p) x[p] = load<T>(a, j + p * q);
    kForward ? step_forward(by, x) : step_inverse(by, x);
    for (int p = 0; p < 4; ++p) store(x[p], a, j + p * q);
  }
}

template <class T>
HWY_INLINE Point<T> times(V<T> real, const Point<T>& by) {
  return {hn::Mul(real, by.re), hn::Mul(real, by.im)};
}
template <class T>
HWY_INLINE Point<T> times(const Point<T>& point, const Point<T>& by) {
  return point * by;
}
template <class T>
HWY_INLINE Point<T> as_point(V<T> real) {
  return {real, hn::Zero(Tag<T>())};
}
template <class T>
HWY_INLINE Point<T> as_point(const Point<T>& point) {
  return point;
}

// Points j, j + q, ... of the first step, which is by kFirst. read(p) returns point p, or only its
// real part if points are real.
template <int kFirst, class T, class Read>
HWY_INLINE void first_forward(std::int64_t q, std::int64_t j, const T* factors, const Read& read,
                              T* points) {
  Point<T> x[kFirst] = {as_point<T>(read(j))};
  for (int p = 1; p < kFirst; ++p)
    x[p] = times<T>(read(j + p * q), number(factors[2 * p - 2], factors[2 * p - 1]));
  turn_forward<kFirst>(x);
  for (int p = 0; p < kFirst; ++p) store(x[p], points, j + p * q);
}

// The inverse of first_forward, times kFirst; calls write(p, point).
template <int kFirst, class T, class Write>
HWY_INLINE void first_inverse(std::int64_t q, std::int64_t j, const T* factors, const T* points,
                              const Write& write) {
  Point<T> x[kFirst];
  for (int p = 0; p < kFirst; ++p) x[p] = load(points, j + p * q);
  turn_inverse<kFirst>(x);
  write(j, x[0]);
  for (int p = 1; p < kFirst; ++p)
    write(j + p * q, times_conjugate(x[p], number(factors[2 * p - 2], factors[2 * p - 1])));
}

}  // namespace
}  // namespace ets::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
