// Rows of a strip of channels: as passes over them read and write them, packed and unpacked; per
// target (include inside foreach_target).
#if defined(LCSM_MODES_ROWS_CPU_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LCSM_MODES_ROWS_CPU_INL_H_
#undef LCSM_MODES_ROWS_CPU_INL_H_
#else
#define LCSM_MODES_ROWS_CPU_INL_H_
#endif

#include <algorithm>
#include <limits>

#include "lcsm/cpu/math_cpu-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lcsm::HWY_NAMESPACE {

inline constexpr int kVectors = 4;  // of a strip

template <class T>
std::int64_t strip_width() {
  return kVectors * static_cast<std::int64_t>(hn::Lanes(Tag<T>()));
}

// Rows in the order of a direction.
template <class T>
struct Walk {
  T* first = nullptr;
  std::int64_t step = 0, vector = 0;  // from row to row, from vector to vector
};

// What a pass does for another block meanwhile, once every `every` steps.
struct Errand {
  std::int64_t count = 0, every = 0, left = std::numeric_limits<std::int64_t>::max();

  HWY_INLINE bool is_due() {
    if (--left > 0) return false;
    left = every;
    return --count >= 0;
  }
};

// Rows of a later block to fetch, in pieces as wide as a strip, some columns apart.
template <class T>
struct Fetched {
  Errand errand = {};
  const T* piece = nullptr;
  std::int64_t step = 0, column = 0, columns = 0, D = 0;

  HWY_INLINE void go() {
    if (!errand.is_due()) return;
    constexpr std::int64_t kLine = 64 / static_cast<std::int64_t>(sizeof(T));
    for (std::int64_t n = 0; n < strip_width<T>(); n += kLine) hwy::Prefetch(piece + n);
    piece += step;
    for (column += step; column >= columns; column -= columns) piece += D - columns;
  }
};

// What a pass reads of a packed strip.
template <class T>
struct KeptInput {
  Walk<const T> rows = {};

  HWY_INLINE hn::Vec<Tag<T>> read(int v) const {
    return hn::Load(Tag<T>(), rows.first + v * rows.vector);
  }
  HWY_INLINE void step() { rows.first += rows.step; }
};

// The same; rows of a later block are fetched.
template <class T>
struct PackedInput : KeptInput<T> {
  Fetched<T> fetched = {};

  HWY_INLINE void step() {
    KeptInput<T>::step();
    fetched.go();
  }
};

// What it adds its reads to; rows of an earlier block go past the caches to where they lie.
template <class T>
struct PackedOutput {
  Walk<T> rows = {};
  bool begins = false;          // with shortcut x
  const T* shortcut = nullptr;  // null: 0
  Errand errand = {};
  Walk<const T> earlier = {};
  Walk<T> written = {};

  HWY_INLINE hn::Vec<Tag<T>> begin(int v, hn::Vec<Tag<T>> x) const {
    const Tag<T> d;
    if (!begins) return hn::Load(d, rows.first + v * rows.vector);
    const auto at = v * static_cast<std::int64_t>(hn::Lanes(d));
    return shortcut ? hn::Mul(hn::Load(d, shortcut + at), x) : hn::Zero(d);
  }
  HWY_INLINE void end(int v, hn::Vec<Tag<T>> sum) const {
    hn::Store(sum, Tag<T>(), rows.first + v * rows.vector);
  }
  HWY_INLINE void step() {
    const Tag<T> d;
    rows.first += rows.step;
    if (!errand.is_due()) return;
    for (int v = 0; v < kVectors; ++v)
      hn::Stream(hn::Load(d, earlier.first + v * earlier.vector), d,
                 written.first + v * written.vector);
    earlier.first += earlier.step;
    written.first += written.step;
  }
};

// The same of rows where they lie. Each is kept packed if `kept` is not null.
template <class T>
struct Input {
  Walk<const T> rows = {};
  Walk<T> kept = {};
  Fetched<T> fetched = {};

  HWY_INLINE hn::Vec<Tag<T>> read(int v) const {
    const auto now = hn::LoadU(Tag<T>(), rows.first + v * rows.vector);
    if (kept.first) hn::Store(now, Tag<T>(), kept.first + v * kept.vector);
    return now;
  }
  HWY_INLINE void step() {
    rows.first += rows.step;
    if (kept.first) kept.first += kept.step;
    fetched.go();
  }
};

template <class T>
struct Output {
  Walk<const T> before = {};    // null: shortcut x
  const T* shortcut = nullptr;  // null: 0
  Walk<T> after = {};
  bool streams = false;  // past the caches

  HWY_INLINE hn::Vec<Tag<T>> begin(int v, hn::Vec<Tag<T>> x) const {
    const Tag<T> d;
    if (before.first) return hn::Load(d, before.first + v * before.vector);
    const auto at = v * static_cast<std::int64_t>(hn::Lanes(d));
    return shortcut ? hn::Mul(hn::Load(d, shortcut + at), x) : hn::Zero(d);
  }
  HWY_INLINE void end(int v, hn::Vec<Tag<T>> sum) const {
    T* const to = after.first + v * after.vector;
    if (streams)
      hn::Stream(sum, Tag<T>(), to);
    else
      hn::StoreU(sum, Tag<T>(), to);
  }
  HWY_INLINE void step() {
    if (before.first) before.first += before.step;
    after.first += after.step;
  }
};

// Where vector v of step t of a strip is packed.
struct Packing {
  std::int64_t step = 0, vector = 0;
  std::int64_t at(std::int64_t t, std::int64_t v) const { return t * step + v * vector; }
};

// Whether vectors of rows [., D] are, so that they can go past the caches.
template <class T>
bool is_aligned(const T* rows, std::int64_t D) {
  return (reinterpret_cast<std::uintptr_t>(rows) | sizeof(T) * static_cast<std::size_t>(D)) %
             (sizeof(T) * hn::Lanes(Tag<T>())) ==
         0;
}

// Rows [steps, D] of one strip, packed; zeros beyond D. Fetches as many from `ahead` on, `next`
// apart, of what will be read afterwards, unless that is null.
template <class T>
void pack(const T* from, std::int64_t steps, std::int64_t D, std::int64_t columns,
          const Packing& packing, T* to, const T* ahead, std::int64_t next) {
  const Tag<T> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d)), width = kVectors * lanes;
  for (std::int64_t t = 0; t < steps; ++t, from += D) {
    for (std::int64_t n = 0; ahead && n < width; n += 64 / static_cast<std::int64_t>(sizeof(T)))
      hwy::Prefetch(ahead + t * next + n);
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

// The other way. Whole strips go past the caches.
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

// y = shortcut x, or 0
template <class T>
void start_output(std::int64_t steps, const T* shortcut, const T* x, T* y, const Packing& packing) {
  const Tag<T> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  for (int v = 0; v < kVectors; ++v) {
    const auto weight = shortcut ? hn::Load(d, shortcut + v * lanes) : hn::Zero(d);
    for (std::int64_t t = 0; t < steps; ++t) {
      const std::int64_t at = packing.at(t, v);
      hn::Store(shortcut ? hn::Mul(weight, hn::Load(d, x + at)) : weight, d, y + at);
    }
  }
}

}  // namespace lcsm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
