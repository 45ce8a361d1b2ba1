// Sums of products over the axes over which a leaf does not vary, per target (include inside
// foreach_target).
#if defined(LCSM_TAPE_SUMS_CPU_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LCSM_TAPE_SUMS_CPU_INL_H_
#undef LCSM_TAPE_SUMS_CPU_INL_H_
#else
#define LCSM_TAPE_SUMS_CPU_INL_H_
#endif

#include "lcsm/cpu/tape_functions_cpu-inl.h"
#include "lcsm/tape/tape.h"

HWY_BEFORE_NAMESPACE();
namespace lcsm::HWY_NAMESPACE {

// to[c] += sum over the rows of a b: two vectors of columns at a time, even and odd rows
// separately.
template <bool kA, bool kB, class T>
HWY_NOINLINE void sum_down(Extent n, Operand<T> a, Operand<T> b, T* to) {
  const Tag<T> d;
  using V = hn::Vec<Tag<T>>;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const auto some = [&](auto vectors, std::int64_t c) {
    constexpr int kVectors = decltype(vectors)::value;
    V even[kVectors], odd[kVectors];
    for (int v = 0; v < kVectors; ++v) {
      even[v] = hn::LoadU(d, to + c + v * lanes);
      odd[v] = hn::Zero(d);
    }
    const auto add = [&](std::int64_t r, V(&sum)[kVectors]) {
      for (int v = 0; v < kVectors; ++v)
        sum[v] = hn::MulAdd(take<kA>(a.data + r * a.row, c + v * lanes),
                            take<kB>(b.data + r * b.row, c + v * lanes), sum[v]);
    };
    std::int64_t r = 0;
    for (; r + 2 <= n.rows; r += 2) {
      add(r, even);
      add(r + 1, odd);
    }
    if (r < n.rows) add(r, even);
    for (int v = 0; v < kVectors; ++v) hn::StoreU(hn::Add(even[v], odd[v]), d, to + c + v * lanes);
  };
  std::int64_t c = 0;
  for (; c + 2 * lanes <= n.columns; c += 2 * lanes) some(std::integral_constant<int, 2>(), c);
  if (c < n.columns) some(std::integral_constant<int, 1>(), c);
}

// to[r, c] += a b.
template <bool kA, bool kB, class T>
HWY_NOINLINE void sum_cells(Extent n, Operand<T> a, Operand<T> b, T* to, std::int64_t row) {
  const Tag<T> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  for (std::int64_t c = 0; c < n.columns; c += lanes)
    for (std::int64_t r = 0; r < n.rows; ++r) {
      T* const cell = to + r * row + c;
      const auto x = take<kA>(a.data + r * a.row, c), y = take<kB>(b.data + r * b.row, c);
      hn::StoreU(hn::MulAdd(x, y, hn::LoadU(d, cell)), d, cell);
    }
}

// kSteps: to[r, lane] += sum of a b along row r. kNumber: to[lane] += sum of a b over all rows.
// kCells: the rows of `to` are `row` apart.
template <Spread kOver, bool kA, bool kB, class T>
HWY_NOINLINE void sum_of(Extent n, Operand<T> a, Operand<T> b, T* to, std::int64_t row) {
  if constexpr (kOver == Spread::kChannels) return sum_down<kA, kB>(n, a, b, to);
  if constexpr (kOver == Spread::kCells) return sum_cells<kA, kB>(n, a, b, to, row);
  const Tag<T> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  auto all = hn::Zero(d);
  for (std::int64_t r = 0; r < n.rows; ++r) {
    const T *at = a.data + r * a.row, *bt = b.data + r * b.row;
    auto along = hn::Zero(d);
    for (std::int64_t c = 0; c < n.columns; c += lanes)
      along = hn::MulAdd(take<kA>(at, c), take<kB>(bt, c), along);
    if constexpr (kOver == Spread::kSteps)
      hn::StoreU(hn::Add(hn::LoadU(d, to + r * lanes), along), d, to + r * lanes);
    if constexpr (kOver == Spread::kNumber) all = hn::Add(all, along);
  }
  if constexpr (kOver == Spread::kNumber) hn::StoreU(hn::Add(hn::LoadU(d, to), all), d, to);
}

template <Spread kOver, class T>
void sum_over(Extent n, Operand<T> a, Operand<T> b, T* to, std::int64_t row) {
  if (a.each && b.each) return sum_of<kOver, true, true>(n, a, b, to, row);
  if (a.each) return sum_of<kOver, true, false>(n, a, b, to, row);
  sum_of<kOver, false, true>(n, a, b, to, row);  // a or b has `each`
}

template <class T>
void run_sum(Spread leaf, Extent n, Operand<T> a, Operand<T> b, T* to, std::int64_t row) {
  switch (leaf) {
    case Spread::kCells:
      return sum_over<Spread::kCells>(n, a, b, to, row);
    case Spread::kSteps:
      return sum_over<Spread::kSteps>(n, a, b, to, row);
    case Spread::kChannels:
      return sum_over<Spread::kChannels>(n, a, b, to, row);
    case Spread::kNumber:
      return sum_over<Spread::kNumber>(n, a, b, to, row);
  }
}

}  // namespace lcsm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
