// Sums over the lanes of many vectors, per target (include inside foreach_target).
#if defined(LCSM_TOTALS_CPU_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LCSM_TOTALS_CPU_INL_H_
#undef LCSM_TOTALS_CPU_INL_H_
#else
#define LCSM_TOTALS_CPU_INL_H_
#endif

#include <cstdint>

#include "lcsm/cpu/math_cpu-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lcsm::HWY_NAMESPACE {

template <class T>
HWY_INLINE T total(const T* lanes) {
  const Tag<T> d;
  return hn::GetLane(hn::SumOfLanes(d, hn::LoadU(d, lanes)));
}

#if HWY_TARGET <= HWY_AVX3

// Folds x and y in half: lane n + lane n + half. Results of x and y alternate.
HWY_INLINE hn::Vec<Tag<float>> folded(hn::Vec<Tag<float>> x, hn::Vec<Tag<float>> y) {
  const auto low = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
  const auto high = _mm512_add_epi32(low, _mm512_set1_epi32(8));
  return {_mm512_add_ps(_mm512_permutex2var_ps(x.raw, low, y.raw),
                        _mm512_permutex2var_ps(x.raw, high, y.raw))};
}
HWY_INLINE hn::Vec<Tag<double>> folded(hn::Vec<Tag<double>> x, hn::Vec<Tag<double>> y) {
  const auto low = _mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11);
  const auto high = _mm512_add_epi64(low, _mm512_set1_epi64(4));
  return {_mm512_add_pd(_mm512_permutex2var_pd(x.raw, low, y.raw),
                        _mm512_permutex2var_pd(x.raw, high, y.raw))};
}

#endif

// to[n] = total(vectors + n lanes), in the same order of additions. With AVX-512 it computes a
// vector of totals at a time, in a quarter of the operations.
template <class T>
void totals(const T* vectors, std::int64_t count, T* to) {
  const Tag<T> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  std::int64_t n = 0;
#if HWY_TARGET <= HWY_AVX3
  constexpr std::int64_t kLanes = hn::MaxLanes(d);
  for (; n + kLanes <= count; n += kLanes) {
    hn::Vec<Tag<T>> sums[kLanes];
    for (std::int64_t m = 0; m < kLanes; ++m) sums[m] = hn::LoadU(d, vectors + (n + m) * kLanes);
    for (std::int64_t half = kLanes / 2; half > 0; half /= 2)
      for (std::int64_t m = 0; m < half; ++m) sums[m] = folded(sums[m], sums[m + half]);
    hn::StoreU(sums[0], d, to + n);
  }
#endif
  for (; n < count; ++n) to[n] = total(vectors + n * lanes);
}

}  // namespace lcsm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
