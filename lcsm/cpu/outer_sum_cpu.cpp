#include "lcsm/cpu/outer_sum_cpu.h"

#include <hwy/aligned_allocator.h>

#include <algorithm>
#include <tuple>

#include "lcsm/cpu/kernels_cpu.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "lcsm/cpu/outer_sum_cpu.cpp"
#include <hwy/foreach_target.h>

#include "lcsm/cpu/math_cpu-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lcsm::HWY_NAMESPACE {
namespace {

// Vectors of a strip: the columns of M in a tile.
inline constexpr int kVectors = kWideRegisters ? 4 : 2;
// Rows of M in a tile: with the rows of x and y, and two broadcasts, they fill the registers.
constexpr int tile_rows(int vectors) {
  return kWideRegisters ? (vectors == 4 ? 4 : vectors == 3 ? 6 : 8) : (vectors == 2 ? 4 : 6);
}

// Rows of a chunk: row t begins at data + t * step.
template <class T>
struct Rows {
  T* data = nullptr;
  std::int64_t step = 0;
  T* row(std::int64_t t) const { return data + t * step; }
};

enum class Read : std::uint8_t { kNone, kAfter, kBefore };  // y reads M after or before step t

// The inner loop: kRows x kWide vectors of M stay in registers over all steps of the chunk. The
// first rows of M write y, the others add to it.
template <int kWide, int kRows, Read kRead, class T>
HWY_NOINLINE void tile(std::int64_t steps, bool first, Rows<const T> a, Rows<const T> c,
                       Rows<const T> x, Rows<T> y, Rows<T> memory) {
  const Tag<T> d;
  using V = hn::Vec<Tag<T>>;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  V m[kRows][kWide];
  for (int k = 0; k < kRows; ++k)
    for (int v = 0; v < kWide; ++v) m[k][v] = hn::Load(d, memory.row(k) + v * lanes);
  for (std::int64_t t = 0; t < steps; ++t) {
    const T *at = a.row(t), *ct = c.row(t), *xt = x.row(t);
    T* yt = y.row(t);
    V row[kWide], sum[kWide];
    for (int v = 0; v < kWide; ++v) row[v] = hn::LoadU(d, xt + v * lanes);
    if constexpr (kRead != Read::kNone)
      for (int v = 0; v < kWide; ++v) sum[v] = first ? hn::Zero(d) : hn::LoadU(d, yt + v * lanes);
    for (int k = 0; k < kRows; ++k) {
      const V write = hn::Set(d, at[k]);
      if constexpr (kRead == Read::kNone) {
        for (int v = 0; v < kWide; ++v) m[k][v] = hn::MulAdd(write, row[v], m[k][v]);
      } else {
        const V read = hn::Set(d, ct[k]);
        for (int v = 0; v < kWide; ++v) {
          if constexpr (kRead == Read::kBefore) sum[v] = hn::MulAdd(read, m[k][v], sum[v]);
          m[k][v] = hn::MulAdd(write, row[v], m[k][v]);
          if constexpr (kRead == Read::kAfter) sum[v] = hn::MulAdd(read, m[k][v], sum[v]);
        }
      }
    }
    if constexpr (kRead != Read::kNone)
      for (int v = 0; v < kWide; ++v) hn::StoreU(sum[v], d, yt + v * lanes);
  }
  for (int k = 0; k < kRows; ++k)
    for (int v = 0; v < kWide; ++v) hn::Store(m[k][v], d, memory.row(k) + v * lanes);
}

template <int kWide, Read kRead, class T>
void tiles(std::int64_t steps, std::int64_t deep, Rows<const T> a, Rows<const T> c, Rows<const T> x,
           Rows<T> y, Rows<T> memory) {
  constexpr int kRows = tile_rows(kWide);
  bool first = true;
  const auto rest = [&](std::int64_t k) {
    first = false;
    a.data += k;
    c.data += k;
    memory.data += k * memory.step;
    deep -= k;
  };
  for (; deep >= kRows; rest(kRows)) tile<kWide, kRows, kRead>(steps, first, a, c, x, y, memory);
  for (; deep >= 2; rest(2)) tile<kWide, 2, kRead>(steps, first, a, c, x, y, memory);
  if (deep == 1) tile<kWide, 1, kRead>(steps, first, a, c, x, y, memory);
}

template <Read kRead, class T>
void tiles_of(int vectors, std::int64_t steps, std::int64_t deep, Rows<const T> a, Rows<const T> c,
              Rows<const T> x, Rows<T> y, Rows<T> memory) {
  if constexpr (kVectors == 4) {
    if (vectors == 4) return tiles<4, kRead>(steps, deep, a, c, x, y, memory);
    if (vectors == 3) return tiles<3, kRead>(steps, deep, a, c, x, y, memory);
  }
  if (vectors == 2) return tiles<2, kRead>(steps, deep, a, c, x, y, memory);
  tiles<1, kRead>(steps, deep, a, c, x, y, memory);
}

// to = from * by, or to += from * by; pads each row with zeros up to `padded`.
template <bool kBy, bool kAdd, class T>
HWY_NOINLINE void copy_rows(std::int64_t rows, std::int64_t width, std::int64_t padded,
                            Rows<const T> from, Rows<const T> by, Rows<T> to) {
  const Tag<T> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  for (std::int64_t r = 0; r < rows; ++r) {
    const T *f = from.row(r), *b = by.row(r);
    T* const t = to.row(r);
    std::int64_t n = 0;
    for (; n + lanes <= width; n += lanes) {
      auto value = hn::LoadU(d, f + n);
      if constexpr (kBy) value = hn::Mul(value, hn::LoadU(d, b + n));
      if constexpr (kAdd) value = hn::Add(value, hn::LoadU(d, t + n));
      hn::StoreU(value, d, t + n);
    }
    for (; n < width; ++n) t[n] = (kAdd ? t[n] : T(0)) + (kBy ? f[n] * b[n] : f[n]);
    for (; n < padded; ++n) t[n] = 0;
  }
}

template <class T>
class Accumulator {
 public:
  explicit Accumulator(const OuterSum<T>& s)
      : s_(s),
        lanes_(static_cast<std::int64_t>(hn::Lanes(Tag<T>()))),
        columns_(s.last - s.first),
        padded_((columns_ + lanes_ - 1) / lanes_ * lanes_),
        memory_(hwy::AllocateAligned<T>(static_cast<std::size_t>(s.deep * padded_))),
        a_(hwy::AllocateAligned<T>(static_cast<std::size_t>(kChunkSteps * s.deep))),
        c_(hwy::AllocateAligned<T>(static_cast<std::size_t>(kChunkSteps * s.deep))),
        x_(hwy::AllocateAligned<T>(static_cast<std::size_t>(kChunkSteps * kVectors * lanes_))),
        y_(hwy::AllocateAligned<T>(static_cast<std::size_t>(kChunkSteps * kVectors * lanes_))) {}

  void run() {
    const Rows<T> outside{s_.memory + s_.first, s_.wide}, inside{memory_.get(), padded_};
    copy_rows<false, false>(s_.deep, columns_, padded_, constant(outside), {}, inside);
    for (std::int64_t q = s_.first_chunk; q < s_.last_chunk; ++q)
      chunk(reversed(s_.order) ? s_.last_chunk - 1 - (q - s_.first_chunk) : q);
    copy_rows<false, false>(s_.deep, columns_, columns_, constant(inside), {}, outside);
  }

 private:
  static Rows<const T> constant(Rows<T> rows) { return {rows.data, rows.step}; }

  // The chunk's rows of [T, width], in the order of the pass.
  template <class U>
  Rows<U> in_order(U* rows, std::int64_t width) const {
    const bool backwards = reversed(s_.order);
    return {rows + (backwards ? begin_ + steps_ - 1 : begin_) * width, backwards ? -width : width};
  }

  // Divides inputs by the scales and multiplies outputs with them; in reverse, the other way round.
  // The first step of the chunk has scale 1, and its row of the table holds something else.
  template <bool kAdd>
  void copy_scaled(const DecayTable<T>& table, bool of_input, std::int64_t table_width,
                   std::int64_t at, std::int64_t width, std::int64_t padded, Rows<const T> from,
                   Rows<T> to) const {
    const std::int64_t first = reversed(s_.order) ? steps_ - 1 : 0;
    if (!table.scale) return copy_rows<false, kAdd>(steps_, width, padded, from, {}, to);
    const T* scale = of_input != reversed(s_.order) ? table.inverse : table.scale;
    const Rows<const T> by = in_order(scale + at, table_width);
    const auto some = [&](std::int64_t r) {
      return std::tuple{Rows<const T>{from.row(r), from.step}, Rows<const T>{by.row(r), by.step},
                        Rows<T>{to.row(r), to.step}};
    };
    const auto [f, b, t] = some(first == 0 ? 1 : 0);
    copy_rows<true, kAdd>(steps_ - 1, width, padded, f, b, t);
    const auto [f1, b1, t1] = some(first);
    copy_rows<false, kAdd>(1, width, padded, f1, b1, t1);
  }

  void chunk(std::int64_t q) {
    begin_ = s_.chunks->starts[static_cast<std::size_t>(q)];
    steps_ = s_.chunks->starts[static_cast<std::size_t>(q) + 1] - begin_;
    const std::int64_t end = begin_ + steps_ - 1,
                       anchor = s_.chunks->anchor[static_cast<std::size_t>(q)];
    const bool backwards = reversed(s_.order);
    if (backwards ? steps_ > 1 : true) decay_memory(backwards ? end : begin_);
    if (anchor >= 0 && s_.anchors.keep) keep(anchor);
    const Rows<const T> a = deep_rows(s_.a, true, a_.get()), c = deep_rows(s_.c, false, c_.get());
    for (std::int64_t w = 0; w < columns_; w += kVectors * lanes_) strip(w, a, c);
    if (anchor >= 0 && s_.anchors.meet) meet(anchor);
    if (backwards || steps_ > 1) decay_memory(backwards ? begin_ : end);
  }

  // Multiplies M with row t of both tables: the decay at the chunk's beginning, or its last scale.
  void decay_memory(std::int64_t t) {
    const T* deep = s_.deep_decay.scale ? s_.deep_decay.scale + t * s_.deep : nullptr;
    const T* wide = s_.wide_decay.scale ? s_.wide_decay.scale + t * s_.wide + s_.first : nullptr;
    if (!deep && !wide) return;
    const Tag<T> d;
    for (std::int64_t n = 0; n < s_.deep; ++n) {
      T* const m = memory_.get() + n * padded_;
      const auto factor = hn::Set(d, deep ? deep[n] : T(1));
      std::int64_t w = 0;
      for (; w + lanes_ <= columns_; w += lanes_) {
        const auto by = wide ? hn::Mul(factor, hn::LoadU(d, wide + w)) : factor;
        hn::Store(hn::Mul(hn::Load(d, m + w), by), d, m + w);
      }
      for (; w < columns_; ++w) m[w] *= (deep ? deep[n] : T(1)) * (wide ? wide[w] : T(1));
    }
  }

  Rows<const T> deep_rows(const T* rows, bool of_input, T* packed) const {
    if (!rows) return {packed, 0};  // no c: y is not wanted
    const Rows<const T> plain = in_order(rows, s_.deep);
    if (!s_.deep_decay.scale) return plain;
    copy_scaled<false>(s_.deep_decay, of_input, s_.deep, 0, s_.deep, s_.deep, plain,
                       {packed, s_.deep});
    return {packed, s_.deep};
  }

  // Whole vectors without a scale are read and written in place.
  void strip(std::int64_t w, Rows<const T> a, Rows<const T> c) {
    const std::int64_t width = std::min(columns_ - w, kVectors * lanes_), at = s_.first + w;
    const int vectors = static_cast<int>((width + lanes_ - 1) / lanes_);
    const std::int64_t row = vectors * lanes_;
    const bool direct = !s_.wide_decay.scale && width == row;
    const Rows<T> memory{memory_.get() + w, padded_};
    Rows<const T> x = in_order(s_.x + at, s_.wide);
    if (!direct) {
      copy_scaled<false>(s_.wide_decay, true, s_.wide, at, width, row, x, {x_.get(), row});
      x = {x_.get(), row};
    }
    if (!s_.y) return tiles_of<Read::kNone>(vectors, steps_, s_.deep, a, c, x, {}, memory);
    const Rows<T> out = in_order(s_.y + at, s_.wide);
    const Rows<T> y = direct && !s_.add ? out : Rows<T>{y_.get(), row};
    if (s_.order == Order::kExclusive || s_.order == Order::kReverseExclusive)
      tiles_of<Read::kBefore>(vectors, steps_, s_.deep, a, c, x, y, memory);
    else
      tiles_of<Read::kAfter>(vectors, steps_, s_.deep, a, c, x, y, memory);
    if (s_.add)
      copy_scaled<true>(s_.wide_decay, false, s_.wide, at, width, width, constant(y), out);
    else if (!direct)
      copy_scaled<false>(s_.wide_decay, false, s_.wide, at, width, width, constant(y), out);
  }

  void keep(std::int64_t anchor) const {
    copy_rows<false, false, T>(s_.deep, columns_, columns_, {memory_.get(), padded_}, {},
                               {s_.anchors.keep + anchor * s_.deep * s_.wide + s_.first, s_.wide});
  }
  void meet(std::int64_t anchor) const {
    T* over_deep = s_.anchors.over_deep + anchor * s_.wide + s_.first;
    T* over_wide = s_.anchors.over_wide + anchor * s_.deep;
    std::fill_n(over_deep, columns_, T(0));
    for (std::int64_t n = 0; n < s_.deep; ++n) {
      const T* m = memory_.get() + n * padded_;
      const T* other = s_.anchors.meet + (anchor * s_.deep + n) * s_.wide + s_.first;
      T sum = 0;
      for (std::int64_t w = 0; w < columns_; ++w) {
        const T product = m[w] * other[w];
        over_deep[w] += product;
        sum += product;
      }
      over_wide[n] += sum;
    }
  }

  const OuterSum<T>& s_;
  const std::int64_t lanes_, columns_, padded_;
  const hwy::AlignedFreeUniquePtr<T[]> memory_, a_, c_, x_, y_;
  std::int64_t begin_ = 0, steps_ = 0;  // of the chunk
};

template <class T>
OuterSumKernels<T> kernels_of() {
  return {[](const OuterSum<T>& s) { Accumulator<T>(s).run(); },
          static_cast<std::int64_t>(hn::Lanes(Tag<T>()))};
}
OuterSumKernels<float> float_kernels() { return kernels_of<float>(); }
OuterSumKernels<double> double_kernels() { return kernels_of<double>(); }

}  // namespace
}  // namespace lcsm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lcsm {

LCSM_CHOOSE_KERNELS(OuterSumKernels, outer_sum_kernels)

}  // namespace lcsm
#endif
