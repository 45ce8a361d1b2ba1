// Vector functions, per target (include after highway.h, inside foreach_target): float32 by short
// polynomials of our own (about 2e-7 relative, the precision of a float32 state), float64 by
// Highway's. Infinities and NaN behave as in <cmath>.
#if defined(LCSM_MATH_CPU_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LCSM_MATH_CPU_INL_H_
#undef LCSM_MATH_CPU_INL_H_
#else
#define LCSM_MATH_CPU_INL_H_
#endif

#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include <cmath>
#include <limits>

HWY_BEFORE_NAMESPACE();
namespace lcsm::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class T>
using Tag = hn::ScalableTag<T>;

inline constexpr bool kWideRegisters = HWY_TARGET <= HWY_AVX3;  // 32 of 64 bytes, or 16 of 32 bytes

// Vectors whose operations are interleaved, so that one computes while another waits.
template <class D, int kCount>
struct Pack {
  hn::Vec<D> at[kCount];
};
template <int kCount, class Work>
HWY_INLINE void each(const Work& work) {
  for (int n = 0; n < kCount; ++n) work(n);
}

// 2^n q, q near 1, n an integer: 0 where x < -87.3, where the result would be subnormal.
HWY_INLINE hn::Vec<Tag<float>> scaled(Tag<float> d, hn::Vec<Tag<float>> q,
                                      [[maybe_unused]] hn::Vec<Tag<float>> n,
                                      [[maybe_unused]] hn::Vec<Tag<float>> shifted,
                                      hn::Vec<Tag<float>> x) {
  const auto least = hn::Set(d, -87.3f);
#if HWY_TARGET <= HWY_AVX3
  const auto in_reach = _mm512_cmp_ps_mask(x.raw, least.raw, _CMP_NLT_UQ);
  return hn::Vec<Tag<float>>{_mm512_maskz_scalef_ps(in_reach, q.raw, n.raw)};
#else
  const hn::RebindToSigned<Tag<float>> bits;
  const auto power = hn::ShiftLeft<23>(hn::BitCast(bits, shifted));
  return hn::IfThenZeroElse(hn::Lt(x, least), hn::BitCast(d, hn::Add(hn::BitCast(bits, q), power)));
#endif
}

// exp for x <= 88.7: x = n log 2 + r, |r| <= log(2) / 2; exp(r) = 1 + r + r^2 q(r), minimax, 1.1e-7
// relative.
template <int kCount>
HWY_INLINE void exp_below(Tag<float> d, Pack<Tag<float>, kCount>& pack) {
  using V = hn::Vec<Tag<float>>;
  const auto c = [d](double value) { return hn::Set(d, static_cast<float>(value)); };
  const V magic = c(12582912.0);  // 1.5 * 2^23: adding it rounds to an integer in the low bits
  auto& x = pack.at;
  V shifted[kCount], whole[kCount], r[kCount], q[kCount];
  each<kCount>([&](int n) { shifted[n] = hn::MulAdd(x[n], c(1.4426950408889634), magic); });
  each<kCount>([&](int n) { whole[n] = hn::Sub(shifted[n], magic); });
#if HWY_TARGET <= HWY_AVX2
  each<kCount>([&](int n) { r[n] = hn::NegMulAdd(whole[n], c(0.6931471805599453), x[n]); });
#else  // without FMA, n log 2 is subtracted in two parts, the first of which is exact
  each<kCount>([&](int n) {
    r[n] =
        hn::NegMulAdd(whole[n], c(-2.12194440e-4), hn::NegMulAdd(whole[n], c(0.693359375), x[n]));
  });
#endif
  each<kCount>(
      [&](int n) { q[n] = hn::MulAdd(r[n], c(0.008312554098665714), c(0.04189009591937065)); });
  for (const double factor : {0.16667114198207855, 0.499992311000824, 1.0, 1.0})
    each<kCount>([&](int n) { q[n] = hn::MulAdd(q[n], r[n], c(factor)); });
  each<kCount>([&](int n) {
    [[maybe_unused]] const V given = x[n];
    x[n] = scaled(d, q[n], whole[n], shifted[n], given);
#if HWY_TARGET > HWY_AVX2
    x[n] = hn::IfThenElse(hn::Eq(given, given), x[n], given);
#endif
  });
}
template <int kCount>
HWY_INLINE void exp_of(Tag<float> d, Pack<Tag<float>, kCount>& pack) {
  const auto most = hn::Set(d, 88.72283935546875f);  // 128 log 2: r = 0, and the power is infinity
  [[maybe_unused]] const Pack<Tag<float>, kCount> given = pack;
  each<kCount>([&](int n) { pack.at[n] = hn::Min(most, pack.at[n]); });
  exp_below(d, pack);
#if HWY_TARGET > HWY_AVX2
  each<kCount>([&](int n) {
    const auto x = given.at[n];
    const auto infinity = hn::Set(d, std::numeric_limits<float>::infinity());
    const auto result = hn::IfThenElse(hn::Ge(x, most), infinity, pack.at[n]);
    pack.at[n] = hn::IfThenElse(hn::Eq(x, x), result, x);
  });
#endif
}
template <int kCount>
HWY_INLINE void exp_of(Tag<double> d, Pack<Tag<double>, kCount>& x) {
  const auto limit = hn::Set(d, 709.78);
  each<kCount>([&](int n) {
    const auto result = hn::Exp(d, hn::Min(limit, x.at[n]));
    const auto infinite = hn::IfThenElse(
        hn::Gt(x.at[n], limit), hn::Set(d, std::numeric_limits<double>::infinity()), result);
    x.at[n] = hn::IfThenElse(hn::Eq(x.at[n], x.at[n]), infinite, x.at[n]);
  });
}
template <class D, class V>
HWY_INLINE V exp_of(D d, V x) {
  Pack<D, 1> one{{x}};
  exp_of(d, one);
  return one.at[0];
}

template <int kCount>
HWY_INLINE void exp_below(Tag<double> d, Pack<Tag<double>, kCount>& x) {
  exp_of(d, x);
}

#if HWY_TARGET <= HWY_AVX3

// 2^(a b), b finite: a b = n + r, |r| <= 1 / 2, with the polynomial of exp_below. If a is infinite
// or huge, r is arbitrary, but n alone determines the result.
HWY_INLINE hn::Vec<Tag<float>> exp2_of_product(Tag<float> d, hn::Vec<Tag<float>> a,
                                               hn::Vec<Tag<float>> b) {
  const auto c = [d](double value) { return hn::Set(d, static_cast<float>(value)); };
  const auto magic = c(12582912.0);
  const auto whole = hn::Sub(hn::MulAdd(a, b, magic), magic);
  constexpr int kSmallerWithItsSign = 2;  // returns the bound if a b - n is NaN
  const hn::Vec<Tag<float>> r{
      _mm512_range_ps(hn::MulSub(a, b, whole).raw, c(0.5).raw, kSmallerWithItsSign)};
  auto q = hn::MulAdd(r, c(0.0013300310810386963), c(0.009669704421202746));
  for (const double factor : {0.055505599055179156, 0.24022281275627255, 0.6931471805599453, 1.0})
    q = hn::MulAdd(q, r, c(factor));
  return hn::Vec<Tag<float>>{_mm512_scalef_ps(q.raw, whole.raw)};
}

#endif

// exp(-|x|).
template <class D, int kCount>
HWY_INLINE void exp_down(D d, Pack<D, kCount>& x) {
  each<kCount>([&](int n) { x.at[n] = hn::Or(x.at[n], hn::SignBit(d)); });
  exp_below(d, x);
}
template <class D, class V>
HWY_INLINE V exp_down(D d, V x) {
  Pack<D, 1> one{{x}};
  exp_down(d, one);
  return one.at[0];
}

// log(1 + u) of u in [0, 1]: u q(u), minimax, 3e-8 relative.
template <int kCount>
HWY_INLINE void log1p_of_share(Tag<float> d, Pack<Tag<float>, kCount>& pack) {
  const auto c = [d](double value) { return hn::Set(d, static_cast<float>(value)); };
  auto& u = pack.at;
  hn::Vec<Tag<float>> q[kCount];
  each<kCount>([&](int n) { q[n] = c(0.0052326940931379795); });
  for (const double factor :
       {-0.02950523979961872, 0.07822595536708832, -0.13663245737552643, 0.19106006622314453,
        -0.2484298199415207, 0.3331909775733948, -0.4999949336051941, 0.9999999403953552})
    each<kCount>([&](int n) { q[n] = hn::MulAdd(q[n], u[n], c(factor)); });
  each<kCount>([&](int n) { u[n] = hn::Mul(q[n], u[n]); });
}
template <int kCount>
HWY_INLINE void log1p_of_share(Tag<double> d, Pack<Tag<double>, kCount>& u) {
  each<kCount>([&](int n) { u.at[n] = hn::Log1p(d, u.at[n]); });
}
template <class D, class V>
HWY_INLINE V log1p_of_share(D d, V u) {
  Pack<D, 1> one{{u}};
  log1p_of_share(d, one);
  return one.at[0];
}

// 1 / (1 + u) of u in [0, 1].
template <class V>
HWY_INLINE V share_of_one(Tag<float> d, V u) {
  const V one = hn::Set(d, 1.0f), s = hn::Add(u, one);
#if HWY_TARGET <= HWY_AVX2
  const V r = hn::ApproximateReciprocal(s);  // 12 or 14 bits; a Newton step doubles them
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

// Highway's sine and cosine are accurate to a few ulp only near 0.
template <class D, class V>
HWY_INLINE bool near_zero(D d, V x) {
  return hn::AllTrue(d, hn::Le(hn::Abs(x), hn::Set(d, hn::TFromD<D>(1000))));
}
template <class D, class V, class Work>
V each_lane(D d, V x, const Work& work) {
  HWY_ALIGN hn::TFromD<D> lanes[hn::MaxLanes(d)];
  hn::Store(x, d, lanes);
  for (std::size_t n = 0; n < hn::Lanes(d); ++n) lanes[n] = work(lanes[n]);
  return hn::Load(d, lanes);
}
template <class D, class V>
HWY_INLINE V cos_of(D d, V x) {
  return near_zero(d, x) ? hn::Cos(d, x) : each_lane(d, x, [](auto v) { return std::cos(v); });
}
template <class D, class V>
HWY_INLINE V sin_of(D d, V x) {
  return near_zero(d, x) ? hn::Sin(d, x) : each_lane(d, x, [](auto v) { return std::sin(v); });
}

}  // namespace lcsm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
