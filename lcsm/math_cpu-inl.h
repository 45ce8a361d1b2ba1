// Vector functions, per target (include after highway.h, inside foreach_target): float32 by short
// polynomials of our own (about 2e-7 relative, which is what the state carries), float64 by
// Highway's. Infinities and NaN go through as they do through <cmath>.
#if defined(LCSM_MATH_CPU_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LCSM_MATH_CPU_INL_H_
#undef LCSM_MATH_CPU_INL_H_
#else
#define LCSM_MATH_CPU_INL_H_
#endif

#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include <limits>

HWY_BEFORE_NAMESPACE();
namespace lcsm::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class T>
using Tag = hn::ScalableTag<T>;

inline constexpr bool kWideRegisters = HWY_TARGET <= HWY_AVX3;  // 32 of 64 bytes, not 16 of 32

// x = n log 2 + r, |r| <= log(2) / 2; exp(r) = 1 + r + r^2 q(r), minimax, 1.1e-7 relative.
template <class V>
HWY_INLINE V exp_of(Tag<float> d, V x) {
  const auto c = [d](double value) { return hn::Set(d, static_cast<float>(value)); };
  const hn::RebindToSigned<decltype(d)> bits;
  const V magic = c(12582912.0);  // 1.5 * 2^23: adding it rounds to an integer in the low bits
  [[maybe_unused]] const V given = x;
  x = hn::Min(c(88.72283935546875), x);  // 128 log 2: r = 0, and the power is infinity
  const V shifted = hn::MulAdd(x, c(1.4426950408889634), magic);
  const V n = hn::Sub(shifted, magic);
#if HWY_TARGET <= HWY_AVX2
  const V r = hn::NegMulAdd(n, c(0.6931471805599453), x);
#else  // without a fused product n log 2 is rounded: its first part here never is
  const V r = hn::NegMulAdd(n, c(-2.12194440e-4), hn::NegMulAdd(n, c(0.693359375), x));
#endif
  V q = hn::MulAdd(r, c(0.008312554098665714), c(0.04189009591937065));
  q = hn::MulAdd(q, r, c(0.16667114198207855));
  q = hn::MulAdd(q, r, c(0.499992311000824));
  q = hn::MulAdd(q, r, c(1));
  q = hn::MulAdd(q, r, c(1));
  const auto power = hn::ShiftLeft<23>(hn::BitCast(bits, shifted));
  V result = hn::BitCast(d, hn::Add(hn::BitCast(bits, q), power));
#if HWY_TARGET > HWY_AVX2
  result = hn::IfThenElse(hn::Ge(x, c(88.72283935546875)),
                          c(std::numeric_limits<double>::infinity()), result);
  result = hn::IfThenElse(hn::Eq(given, given), result, given);
#endif
  return hn::IfThenZeroElse(hn::Lt(x, c(-87.3)), result);
}
template <class V>
HWY_INLINE V exp_of(Tag<double> d, V x) {
  const V limit = hn::Set(d, 709.78);
  const V result = hn::Exp(d, hn::Min(limit, x));
  const V infinite =
      hn::IfThenElse(hn::Gt(x, limit), hn::Set(d, std::numeric_limits<double>::infinity()), result);
  return hn::IfThenElse(hn::Eq(x, x), infinite, x);
}

// log(1 + u) of u in [0, 1]: u q(u), minimax, 3e-8 relative.
template <class V>
HWY_INLINE V log1p_of_share(Tag<float> d, V u) {
  const auto c = [d](double value) { return hn::Set(d, static_cast<float>(value)); };
  V q = hn::MulAdd(u, c(0.0052326940931379795), c(-0.02950523979961872));
  q = hn::MulAdd(q, u, c(0.07822595536708832));
  q = hn::MulAdd(q, u, c(-0.13663245737552643));
  q = hn::MulAdd(q, u, c(0.19106006622314453));
  q = hn::MulAdd(q, u, c(-0.2484298199415207));
  q = hn::MulAdd(q, u, c(0.3331909775733948));
  q = hn::MulAdd(q, u, c(-0.4999949336051941));
  q = hn::MulAdd(q, u, c(0.9999999403953552));
  return hn::Mul(q, u);
}
template <class V>
HWY_INLINE V log1p_of_share(Tag<double> d, V u) {
  return hn::Log1p(d, u);
}

// 1 / (1 + u) of u in [0, 1].
template <class V>
HWY_INLINE V share_of_one(Tag<float> d, V u) {
  const V one = hn::Set(d, 1.0f), s = hn::Add(u, one);
#if HWY_TARGET <= HWY_AVX2
  const V r = hn::ApproximateReciprocal(s);  // 12 or 14 bits; a step of Newton doubles them
  return hn::MulAdd(r, hn::NegMulAdd(s, r, one), r);
#else
  return hn::Div(one, s);
#endif
}
template <class V>
HWY_INLINE V share_of_one(Tag<double> d, V u) {
  const V one = hn::Set(d, 1.0);
  return hn::Div(one, hn::Add(u, one));
}

template <class D, class V>
HWY_INLINE V log_of(D d, V x) {
  using T = hn::TFromD<D>;
  const T infinity = std::numeric_limits<T>::infinity();
  V y = hn::Log(d, x);
  y = hn::IfThenElse(hn::Eq(x, hn::Zero(d)), hn::Set(d, -infinity), y);
  y = hn::IfThenElse(hn::Eq(x, hn::Set(d, infinity)), x, y);
  return hn::IfThenElse(hn::Ge(x, hn::Zero(d)), y, hn::Set(d, std::numeric_limits<T>::quiet_NaN()));
}

template <class D, class V>
HWY_INLINE V exp_minus_one(D d, V x) {
  return hn::IfThenElse(hn::Gt(x, hn::Set(d, hn::TFromD<D>(-40))),
                        hn::Expm1(d, hn::Min(hn::Set(d, hn::TFromD<D>(88)), x)),
                        hn::Set(d, hn::TFromD<D>(-1)));
}

}  // namespace lcsm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
