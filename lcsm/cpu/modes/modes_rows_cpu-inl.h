// Rows of a strip of channels, packed and unpacked, and how passes read and write them; per target
// (include inside foreach_target).
#if defined(LCSM_MODES_ROWS_CPU_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LCSM_MODES_ROWS_CPU_INL_H_
#undef LCSM_MODES_ROWS_CPU_INL_H_
#else
#define LCSM_MODES_ROWS_CPU_INL_H_
#endif

#include <algorithm>
#include <cstdint>
#include <limits>

#include "lcsm/cpu/math_cpu-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lcsm::HWY_NAMESPACE {

inline constexpr int kVectors = 4;  // of a strip

template <class T>
std::int64_t strip_width() {
  return kVectors * static_cast<std::int64_t>(hn::Lanes(Tag<T>()));
}

// Rows in the order in which a direction visits them.
template <class T>
struct Walk {
  T* first = nullptr;
  std::int64_t step = 0, vector = 0;  // from row to row, from vector to vector
};

// The packed strip that a pass reads.
template <class T>
struct PackedInput {
  Walk<const T> rows = {};

  HWY_INLINE hn::Vec<Tag<T>> read(int v) const {
    return hn::Load(Tag<T>(), rows.first + v * rows.vector);
  }
  HWY_INLINE void step() { rows.first += rows.step; }
};

// Rows that a pass reads in place; if kKeeps, it also stores a packed copy.
template <class T, bool kKeeps>
struct Input {
  Walk<const T> rows = {};
  Walk<T> kept = {};

  HWY_INLINE hn::Vec<Tag<T>> read(int v) const {
    const auto now = hn::LoadU(Tag<T>(), rows.first + v * rows.vector);
    if constexpr (kKeeps) hn::Store(now, Tag<T>(), kept.first + v * kept.vector);
    return now;
  }
  HWY_INLINE void step() {
    rows.first += rows.step;
    if constexpr (kKeeps) kept.first += kept.step;
  }
};

// The packed strip to which a pass adds its outputs.
template <class T>
struct PackedOutput {
  Walk<T> rows = {};
  bool begins = false;

  HWY_INLINE hn::Vec<Tag<T>> begin(int v) const {
    if (begins) return hn::Zero(Tag<T>());
    return hn::Load(Tag<T>(), rows.first + v * rows.vector);
  }
  HWY_INLINE void end(int v, hn::Vec<Tag<T>> sum) const {
    hn::Store(sum, Tag<T>(), rows.first + v * rows.vector);
  }
  HWY_INLINE void step() { rows.first += rows.step; }
};

// Output of the first pass, the last pass, or the only one. The last pass writes rows in place,
// with non-temporal stores.
template <class T, bool kBegins, bool kEnds>
struct Output {
  Walk<T> packed = {}, rows = {};

  HWY_INLINE hn::Vec<Tag<T>> begin(int v) const {
    if constexpr (kBegins) return hn::Zero(Tag<T>());
    return hn::Load(Tag<T>(), packed.first + v * packed.vector);
  }
  HWY_INLINE void end(int v, hn::Vec<Tag<T>> sum) const {
    if constexpr (kEnds)
      hn::Stream(sum, Tag<T>(), rows.first + v * rows.vector);
    else
      hn::Store(sum, Tag<T>(), packed.first + v * packed.vector);
  }
  HWY_INLINE void step() {
    if constexpr (!kBegins || !kEnds) packed.first += packed.step;
    if constexpr (kEnds) rows.first += rows.step;
  }
};

// Rows of a later block to prefetch, in pieces as wide as a strip. This pass fetches the next piece
// and every `share`th piece after it.
template <class T>
struct Fetched {
  std::int64_t left = 0, share = 0;
  const T* piece = nullptr;
  std::int64_t step = 0, column = 0, columns = 0, D = 0;

  HWY_INLINE void next() {
    if (left <= 0) return;
    left -= share;
    constexpr std::int64_t kLine = 64 / static_cast<std::int64_t>(sizeof(T));
    for (std::int64_t n = 0; n < strip_width<T>(); n += kLine) hwy::Prefetch(piece + n);
    skip(step);
  }
  HWY_INLINE void skip(std::int64_t numbers) {
    piece += numbers;
    for (column += numbers; column >= columns; column -= columns) piece += D - columns;
  }
};

// Packed rows of an earlier strip, to be written in place with non-temporal stores.
template <class T>
struct Written {
  std::int64_t left = 0, share = 0;
  Walk<const T> packed = {};
  Walk<T> rows = {};

  HWY_INLINE void next() {
    const Tag<T> d;
    if (left <= 0) return;
    left -= share;
    for (int v = 0; v < kVectors; ++v)
      hn::Stream(hn::Load(d, packed.first + v * packed.vector), d, rows.first + v * rows.vector);
    packed.first += packed.step;
    rows.first += rows.step;
  }
};

// Work for other blocks and strips that a pass does in between, `at_once` pieces every `every`
// steps.
template <class T>
struct Errands {
  std::int64_t every = std::numeric_limits<std::int64_t>::max(), at_once = 0;
  Fetched<T> fetched = {};
  Written<T> written = {};

  void run() {
    for (std::int64_t n = 0; n < at_once; ++n) {
      fetched.next();
      written.next();
    }
  }
};

// The layout of a packed strip: at() is the offset of vector v of step t.
struct Packing {
  std::int64_t step = 0, vector = 0;
  std::int64_t at(std::int64_t t, std::int64_t v) const { return t * step + v * vector; }
};

// True if vectors of rows [., D] are aligned, as non-temporal stores require.
template <class T>
bool is_aligned(const T* rows, std::int64_t D) {
  return (reinterpret_cast<std::uintptr_t>(rows) | sizeof(T) * static_cast<std::size_t>(D)) %
             (sizeof(T) * hn::Lanes(Tag<T>())) ==
         0;
}

// Packs rows [steps, D] of one strip, with zeros beyond D.
template <class T>
void pack(const T* from, std::int64_t steps, std::int64_t D, std::int64_t columns,
          const Packing& packing, T* to) {
  const Tag<T> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d)), width = kVectors * lanes;
  for (std::int64_t t = 0; t < steps; ++t, from += D) {
    for (int v = 0; v < kVectors; ++v) {
      T* const row = to + packing.at(t, v);
      if (columns == width) {
        hn::Store(hn::LoadU(d, from + v * lanes), d, row);
      } else {
        const std::int64_t known = std::clamp<std::int64_t>(columns - v * lanes, 0, lanes);
        std::copy_n(from + v * lanes, known, row);
        std::fill(row + known, row + lanes, T(0));
      }
    }
  }
}

// Unpacks rows of a strip. Whole aligned strips are written with non-temporal stores.
template <class T>
void unpack(const T* from, std::int64_t steps, std::int64_t D, std::int64_t columns,
            const Packing& packing, bool adds, T* to) {
  const Tag<T> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d)), width = kVectors * lanes;
  const bool past = is_aligned(to, D) && !adds && columns == width;
  for (std::int64_t t = 0; t < steps; ++t, to += D)
    for (std::int64_t n = 0; n < columns; n += lanes) {
      const T* const row = from + packing.at(t, n / lanes);
      const auto value = hn::Load(d, row);
      if (past)
        hn::Stream(value, d, to + n);
      else if (n + lanes <= columns)
        hn::StoreU(adds ? hn::Add(value, hn::LoadU(d, to + n)) : value, d, to + n);
      else
        for (std::int64_t lane = n; lane < columns; ++lane)
          to[lane] = row[lane - n] + (adds ? to[lane] : T(0));
    }
}

}  // namespace lcsm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
