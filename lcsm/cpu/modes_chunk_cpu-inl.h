// The loops of the sum of modes over chunks of a packed vector of channels, per target (include
// inside foreach_target). In a chunk of C steps, from u before it:
//   y_t += Re sum_n q^(t+1) (c u) + sum_j k_j x_(t-j),   u <- q^C u + sum_j q^j x_(C-1-j)
// Products of matrices, one for each lane: their rows are powers of q, their columns are chunks.
#if defined(LCSM_MODES_CHUNK_CPU_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LCSM_MODES_CHUNK_CPU_INL_H_
#undef LCSM_MODES_CHUNK_CPU_INL_H_
#else
#define LCSM_MODES_CHUNK_CPU_INL_H_
#endif

#include <algorithm>

#include "lcsm/cpu/modes_cpu.h"
#include "lcsm/cpu/modes_pass_cpu-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lcsm::HWY_NAMESPACE {

inline constexpr int kColumns = 4;  // chunks side by side
inline constexpr int kChunkRows = kModesChunkRows;

// work(kCount, n): chunks n ... n + kCount - 1 of `count`.
template <class Work>
HWY_INLINE void in_columns(std::int64_t count, const Work& work) {
  std::int64_t n = 0;
  for (; n + kColumns <= count; n += kColumns) work(std::integral_constant<int, kColumns>(), n);
  for (; n < count; ++n) work(std::integral_constant<int, 1>(), n);
}

// Powers q^0 ... q^C of some modes, one mode after another.
template <class T>
struct Powers {
  const T* first = nullptr;
  std::int64_t C = 0, mode = 0;  // numbers from mode to mode
};

// sums = sum_j q^j x_(C-1-j), slopes = sum_j q^(j-1) (j x_(C-1-j)), of kModes modes and kChunks
// chunks; from chunk to chunk they are `stride` numbers apart. j x_(C-1-j) is given as `scaled`.
template <int kParts, int kModes, int kChunks, bool kSlopes, class T>
HWY_INLINE void gather(Walk<const T> x, const T* scaled, const Powers<T>& powers, T* sums,
                       T* slopes, std::int64_t stride) {
  using V = hn::Vec<Tag<T>>;
  const Tag<T> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  Number<T, kParts> sum[kModes][kChunks], slope[kModes][kChunks], q[kModes], before[kModes];
  for (int m = 0; m < kModes; ++m)
    for (int p = 0; p < kParts; ++p) {
      before[m].part[p] = hn::Zero(d);
      for (int k = 0; k < kChunks; ++k) sum[m][k].part[p] = slope[m][k].part[p] = hn::Zero(d);
    }
  x.first += (powers.C - 1) * x.step;
  std::int64_t j = 0;
  do {  // never empty: the sums stay in registers
    for (int m = 0; m < kModes; ++m)
      q[m] = load<kParts>(powers.first + m * powers.mode + j * kParts * lanes, lanes);
    for (int k = 0; k < kChunks; ++k) {
      const V now = hn::Load(d, x.first + k * powers.C * x.step);
      V more = now;
      if constexpr (kSlopes) more = hn::Load(d, scaled + (k * powers.C + j) * lanes);
      for (int m = 0; m < kModes; ++m)
        for (int p = 0; p < kParts; ++p) {
          sum[m][k].part[p] = hn::MulAdd(q[m].part[p], now, sum[m][k].part[p]);
          if constexpr (kSlopes)
            slope[m][k].part[p] = hn::MulAdd(before[m].part[p], more, slope[m][k].part[p]);
        }
    }
    if constexpr (kSlopes)
      for (int m = 0; m < kModes; ++m) before[m] = q[m];
    x.first -= x.step;
  } while (++j < powers.C);
  for (int m = 0; m < kModes; ++m)
    for (int k = 0; k < kChunks; ++k) {
      store<kParts>(sum[m][k], sums + k * stride + m * kParts * lanes, lanes);
      if constexpr (kSlopes)
        store<kParts>(slope[m][k], slopes + k * stride + m * kParts * lanes, lanes);
    }
}

// scaled_j = j x_(C-1-j) of `count` chunks.
template <class T>
void scale(std::int64_t count, std::int64_t C, Walk<const T> x, T* scaled) {
  const Tag<T> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  for (std::int64_t k = 0; k < count; ++k)
    for (std::int64_t j = 0; j < C; ++j, scaled += lanes) {
      const auto now = hn::Load(d, x.first + (k * C + C - 1 - j) * x.step);
      hn::Store(hn::Mul(hn::Set(d, static_cast<T>(j)), now), d, scaled);
    }
}

// y_t += Re sum over the modes of q^(t + shift) u, of kChunks chunks.
template <int kParts, int kChunks, class T>
HWY_INLINE void spread(std::int64_t modes, std::int64_t shift, const Powers<T>& powers, const T* u,
                       std::int64_t stride, Walk<T> y) {
  using V = hn::Vec<Tag<T>>;
  const Tag<T> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  for (std::int64_t t = 0; t < powers.C; t += kChunkRows) {
    V sum[kChunkRows][kChunks];
    const auto at = [&](int row, int k) { return y.first + (k * powers.C + t + row) * y.step; };
    for (int row = 0; row < kChunkRows; ++row)
      for (int k = 0; k < kChunks; ++k) sum[row][k] = hn::Load(d, at(row, k));
    const T* from = powers.first + (t + shift) * kParts * lanes;
    for (std::int64_t m = 0; m < modes; ++m, from += powers.mode) {
      Number<T, kParts> q[kChunkRows];
      for (int row = 0; row < kChunkRows; ++row)
        q[row] = load<kParts>(from + row * kParts * lanes, lanes);
      for (int k = 0; k < kChunks; ++k) {
        const auto now = load<kParts>(u + k * stride + m * kParts * lanes, lanes);
        for (int row = 0; row < kChunkRows; ++row) sum[row][k] = read_add(q[row], now, sum[row][k]);
      }
    }
    for (int row = 0; row < kChunkRows; ++row)
      for (int k = 0; k < kChunks; ++k) hn::Store(sum[row][k], d, at(row, k));
  }
}

// y_t += sum over j of taps_j x_(t-j), of kChunks chunks. kChunkRows - 1 zeros stand before the
// taps.
template <int kChunks, class T>
HWY_INLINE void within(std::int64_t C, const T* taps, Walk<const T> x, Walk<T> y) {
  using V = hn::Vec<Tag<T>>;
  const Tag<T> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  taps += (kChunkRows - 1) * lanes;
  for (std::int64_t t = 0; t < C; t += kChunkRows) {
    V sum[kChunkRows][kChunks];
    const auto at = [&](int row, int k) { return y.first + (k * C + t + row) * y.step; };
    for (int row = 0; row < kChunkRows; ++row)
      for (int k = 0; k < kChunks; ++k) sum[row][k] = hn::Load(d, at(row, k));
    for (std::int64_t s = 0; s < t + kChunkRows; ++s) {
      V tap[kChunkRows];
      for (int row = 0; row < kChunkRows; ++row)
        tap[row] = hn::Load(d, taps + (t + row - s) * lanes);
      for (int k = 0; k < kChunks; ++k) {
        const V now = hn::Load(d, x.first + (k * C + s) * x.step);
        for (int row = 0; row < kChunkRows; ++row)
          sum[row][k] = hn::MulAdd(tap[row], now, sum[row][k]);
      }
    }
    for (int row = 0; row < kChunkRows; ++row)
      for (int k = 0; k < kChunks; ++k) hn::Store(sum[row][k], d, at(row, k));
  }
}

// lags_j += sum over t of d_y_t x_(t-j) within each of `count` chunks.
template <class T>
void correlate(std::int64_t count, std::int64_t C, Walk<const T> d_y, Walk<const T> x, T* lags) {
  using V = hn::Vec<Tag<T>>;
  constexpr int kLags = 8;
  const Tag<T> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  for (std::int64_t j = 0; j < C; j += kLags) {
    V sum[kLags];
    for (int l = 0; l < kLags; ++l) sum[l] = hn::Load(d, lags + (j + l) * lanes);
    for (std::int64_t k = 0; k < count; ++k) {
      const T* const out = d_y.first + k * C * d_y.step;
      const T* const in = x.first + (k * C - j) * x.step;
      for (std::int64_t t = j; t < C; ++t) {
        const V now = hn::Load(d, out + t * d_y.step);
        if (t - j >= kLags - 1) {
          for (int l = 0; l < kLags; ++l)
            sum[l] = hn::MulAdd(now, hn::Load(d, in + (t - l) * x.step), sum[l]);
        } else {
          for (int l = 0; l < kLags; ++l)
            if (l <= t - j) sum[l] = hn::MulAdd(now, hn::Load(d, in + (t - l) * x.step), sum[l]);
        }
      }
    }
    for (int l = 0; l < kLags; ++l) hn::Store(sum[l], d, lags + (j + l) * lanes);
  }
}

}  // namespace lcsm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
