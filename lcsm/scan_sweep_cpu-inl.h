// The three sweeps of the scan over a block at one k, per target (include inside foreach_target):
// a strip of kVectors vectors of m, or of its gradient, stays in registers.
#if defined(LCSM_SCAN_SWEEP_CPU_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LCSM_SCAN_SWEEP_CPU_INL_H_
#undef LCSM_SCAN_SWEEP_CPU_INL_H_
#else
#define LCSM_SCAN_SWEEP_CPU_INL_H_
#endif

#include "lcsm/tape_cpu-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lcsm::HWY_NAMESPACE {

// How w is given, and where its gradient goes.
enum class Write : std::uint8_t {
  kSteps,     // e_t: summed along the row, lane by lane
  kChannels,  // static e: summed over the steps
  kCells,     // computed by the tape: stored
};

// Of one strip; pointers are at its first column.
template <class T>
struct Strip {
  std::int64_t rows = 0;
  Operand<T> o, w, s;
  const T *i = nullptr, *d_y = nullptr;
  T *y = nullptr, *d_i = nullptr;
  std::int64_t row = 0;  // of i, d_y, y, d_i
  T* memory = nullptr;   // m, or its gradient: in and out
  // Backward: m_{t-1} of every step, then d_o in its place.
  T* before = nullptr;
  T* d_w_cells = nullptr;
  bool by_log = false;               // d log o instead
  std::int64_t cells = 0;            // row of these two
  T *d_w = nullptr, *d_s = nullptr;  // [rows, lanes], or over the channels of the strip; added
};

template <int kVectors, bool kWriteEach, bool kReadEach, class T>
HWY_NOINLINE void forward_sweep(const Strip<T>& strip) {
  const Strip<T> p = strip;  // stores through T* cannot change a copy
  const Tag<T> d;
  using V = hn::Vec<Tag<T>>;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  V m[kVectors];
  for (int v = 0; v < kVectors; ++v) m[v] = hn::LoadU(d, p.memory + v * lanes);
  for (std::int64_t t = 0; t < p.rows; ++t) {
    const T *o = p.o.data + t * p.o.row, *w = p.w.data + t * p.w.row, *s = p.s.data + t * p.s.row;
    const T* i = p.i + t * p.row;
    T* y = p.y + t * p.row;
    const V write = hn::Set(d, *w), read = hn::Set(d, *s);
    for (int v = 0; v < kVectors; ++v) {
      const std::int64_t c = v * lanes;
      const V by = kWriteEach ? hn::LoadU(d, w + c) : write;
      m[v] = hn::MulAdd(hn::LoadU(d, o + c), m[v], hn::Mul(by, hn::LoadU(d, i + c)));
      const V shrink = kReadEach ? hn::LoadU(d, s + c) : read;
      hn::StoreU(hn::MulAdd(shrink, m[v], hn::LoadU(d, y + c)), d, y + c);
    }
  }
  for (int v = 0; v < kVectors; ++v) hn::StoreU(m[v], d, p.memory + v * lanes);
}

// m again, kept as it was before every step; the gradient of s.
template <int kVectors, bool kWriteEach, bool kReadEach, class T>
HWY_NOINLINE void recompute_sweep(const Strip<T>& strip) {
  const Strip<T> p = strip;  // stores through T* cannot change a copy
  const Tag<T> d;
  using V = hn::Vec<Tag<T>>;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  V m[kVectors], over[kVectors];
  for (int v = 0; v < kVectors; ++v) {
    m[v] = hn::LoadU(d, p.memory + v * lanes);
    over[v] = hn::Zero(d);
  }
  for (std::int64_t t = 0; t < p.rows; ++t) {
    const T *o = p.o.data + t * p.o.row, *w = p.w.data + t * p.w.row;
    const T *i = p.i + t * p.row, *d_y = p.d_y + t * p.row;
    const V write = hn::Set(d, *w);
    V along = hn::Zero(d);
    for (int v = 0; v < kVectors; ++v) {
      const std::int64_t c = v * lanes;
      hn::StoreU(m[v], d, p.before + t * p.cells + c);
      const V by = kWriteEach ? hn::LoadU(d, w + c) : write;
      m[v] = hn::MulAdd(hn::LoadU(d, o + c), m[v], hn::Mul(by, hn::LoadU(d, i + c)));
      V& sum = kReadEach ? over[v] : along;
      sum = hn::MulAdd(m[v], hn::LoadU(d, d_y + c), sum);
    }
    if constexpr (!kReadEach) {
      T* const lane = p.d_s + t * lanes;
      hn::StoreU(hn::Add(along, hn::LoadU(d, lane)), d, lane);
    }
  }
  if constexpr (kReadEach)
    for (int v = 0; v < kVectors; ++v)
      hn::StoreU(hn::Add(over[v], hn::LoadU(d, p.d_s + v * lanes)), d, p.d_s + v * lanes);
}

// The gradient g of m back in time; those of i, of w and, in place of m_{t-1}, of o or log o.
template <int kVectors, Write kWrite, bool kReadEach, bool kByLog, class T>
HWY_NOINLINE void reverse_sweep(const Strip<T>& strip) {
  const Strip<T> p = strip;  // stores through T* cannot change a copy
  const Tag<T> d;
  using V = hn::Vec<Tag<T>>;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  V g[kVectors], over[kVectors];
  for (int v = 0; v < kVectors; ++v) {
    g[v] = hn::LoadU(d, p.memory + v * lanes);
    over[v] = hn::Zero(d);
  }
  for (std::int64_t t = p.rows - 1; t >= 0; --t) {
    const T *o = p.o.data + t * p.o.row, *w = p.w.data + t * p.w.row, *s = p.s.data + t * p.s.row;
    const T *i = p.i + t * p.row, *d_y = p.d_y + t * p.row;
    T* d_i = p.d_i + t * p.row;
    const V write = hn::Set(d, *w), read = hn::Set(d, *s);
    V along = hn::Zero(d);
    for (int v = 0; v < kVectors; ++v) {
      const std::int64_t c = v * lanes;
      const V shrink = kReadEach ? hn::LoadU(d, s + c) : read;
      g[v] = hn::MulAdd(shrink, hn::LoadU(d, d_y + c), g[v]);
      const V input = hn::LoadU(d, i + c);
      if constexpr (kWrite == Write::kSteps) along = hn::MulAdd(g[v], input, along);
      if constexpr (kWrite == Write::kChannels) over[v] = hn::MulAdd(g[v], input, over[v]);
      if constexpr (kWrite == Write::kCells)
        hn::StoreU(hn::Mul(g[v], input), d, p.d_w_cells + t * p.cells + c);
      const V by = kWrite != Write::kSteps ? hn::LoadU(d, w + c) : write;
      hn::StoreU(hn::MulAdd(g[v], by, hn::LoadU(d, d_i + c)), d, d_i + c);
      T* const before = p.before + t * p.cells + c;
      const V decayed = hn::Mul(g[v], hn::LoadU(d, o + c));
      hn::StoreU(hn::Mul(kByLog ? decayed : g[v], hn::LoadU(d, before)), d, before);
      g[v] = decayed;
    }
    if constexpr (kWrite == Write::kSteps) {
      T* const lane = p.d_w + t * lanes;
      hn::StoreU(hn::Add(along, hn::LoadU(d, lane)), d, lane);
    }
  }
  for (int v = 0; v < kVectors; ++v) hn::StoreU(g[v], d, p.memory + v * lanes);
  if constexpr (kWrite == Write::kChannels)
    for (int v = 0; v < kVectors; ++v)
      hn::StoreU(hn::Add(over[v], hn::LoadU(d, p.d_w + v * lanes)), d, p.d_w + v * lanes);
}

enum class Pass : std::uint8_t { kForward, kRecompute, kReverse };

template <Pass kPass, int kVectors, class T>
void sweep_vectors(const Strip<T>& p, Write write, bool read_each) {
  const auto by_read = [&](auto each) {
    constexpr bool kRead = decltype(each)::value;
    if constexpr (kPass == Pass::kReverse) {
      const auto by = [&](auto by_log) {
        constexpr bool kLog = decltype(by_log)::value;
        if (write == Write::kSteps) return reverse_sweep<kVectors, Write::kSteps, kRead, kLog>(p);
        if (write == Write::kChannels)
          return reverse_sweep<kVectors, Write::kChannels, kRead, kLog>(p);
        return reverse_sweep<kVectors, Write::kCells, kRead, kLog>(p);
      };
      return p.by_log ? by(std::true_type()) : by(std::false_type());
    } else if constexpr (kPass == Pass::kForward) {
      if (write == Write::kSteps) return forward_sweep<kVectors, false, kRead>(p);
      return forward_sweep<kVectors, true, kRead>(p);
    } else {
      if (write == Write::kSteps) return recompute_sweep<kVectors, false, kRead>(p);
      return recompute_sweep<kVectors, true, kRead>(p);
    }
  };
  if (read_each) return by_read(std::true_type());
  by_read(std::false_type());
}

// The strip in runs of 4, 2 and 1 vectors.
template <Pass kPass, class T>
void sweep_strip(Strip<T> p, std::int64_t columns, Write write, bool read_each) {
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(Tag<T>()));
  const auto on = [&](std::int64_t by) {
    columns -= by;
    if (p.o.each) p.o.data += by;
    if (p.w.each) p.w.data += by;
    if (p.s.each) p.s.data += by;
    for (const T** at : {&p.i, &p.d_y})
      if (*at) *at += by;
    for (T** at : {&p.y, &p.d_i, &p.memory, &p.before, &p.d_w_cells})
      if (*at) *at += by;
    if (write == Write::kChannels && p.d_w) p.d_w += by;
    if (read_each && p.d_s) p.d_s += by;
  };
  for (; columns >= 4 * lanes; on(4 * lanes)) sweep_vectors<kPass, 4>(p, write, read_each);
  for (; columns >= 2 * lanes; on(2 * lanes)) sweep_vectors<kPass, 2>(p, write, read_each);
  if (columns > 0) sweep_vectors<kPass, 1>(p, write, read_each);
}

}  // namespace lcsm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
