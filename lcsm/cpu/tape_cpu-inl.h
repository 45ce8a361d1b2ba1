// The operations of a tape over a block, per target (include inside foreach_target).
#if defined(LCSM_TAPE_CPU_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LCSM_TAPE_CPU_INL_H_
#undef LCSM_TAPE_CPU_INL_H_
#else
#define LCSM_TAPE_CPU_INL_H_
#endif

#include "lcsm/cpu/math_cpu-inl.h"
#include "lcsm/tape/tape.h"

HWY_BEFORE_NAMESPACE();
namespace lcsm::HWY_NAMESPACE {

// Value (r, c) is data[r * row + (each ? c : 0)].
template <class T>
struct Operand {
  const T* data = nullptr;
  std::int64_t row = 0;
  bool each = false;
};

// Columns are whole vectors; the buffers have room for them.
struct Extent {
  std::int64_t rows, columns;
};

template <bool kEach, class T>
HWY_INLINE hn::Vec<Tag<T>> take(const T* row, std::int64_t c) {
  if constexpr (kEach) return hn::LoadU(Tag<T>(), row + c);
  return hn::Set(Tag<T>(), *row);
}

template <bool kA, bool kB, class T, class Work>
HWY_INLINE void map_two(Extent n, Operand<T> a, Operand<T> b, T* out, const Work& work) {
  const Tag<T> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  for (std::int64_t r = 0; r < n.rows; ++r) {
    const T *at = a.data + r * a.row, *bt = b.data + r * b.row;
    T* const to = out + r * n.columns;
    const auto x = hn::Set(d, *at), y = hn::Set(d, *bt);
    for (std::int64_t c = 0; c < n.columns; c += lanes)
      hn::StoreU(work(d, kA ? hn::LoadU(d, at + c) : x, kB ? hn::LoadU(d, bt + c) : y), d, to + c);
  }
}

template <class T, class Work>
HWY_FLATTEN HWY_NOINLINE void two(Extent n, Operand<T> a, Operand<T> b, T* out, const Work& work) {
  if (a.each && b.each) return map_two<true, true>(n, a, b, out, work);
  if (a.each) return map_two<true, false>(n, a, b, out, work);
  if (b.each) return map_two<false, true>(n, a, b, out, work);
  map_two<false, false>(n, a, b, out, work);
}

template <class T, class Work>
HWY_FLATTEN HWY_NOINLINE void one(Extent n, Operand<T> a, T* out, const Work& work) {
  const auto drop = [&](auto d, auto x, auto) { return work(d, x); };
  if (a.each) return map_two<true, false>(n, a, a, out, drop);
  map_two<false, false>(n, a, a, out, drop);
}

// NaN propagates, as in tensors.
template <class V>
HWY_INLINE V smaller(V x, V y) {
  return hn::IfThenElse(hn::Eq(x, x), hn::IfThenElse(hn::Eq(y, y), hn::Min(x, y), y), x);
}
template <class V>
HWY_INLINE V larger(V x, V y) {
  return hn::IfThenElse(hn::Eq(x, x), hn::IfThenElse(hn::Eq(y, y), hn::Max(x, y), y), x);
}

template <class T>
void run_two(TapeOp op, Extent n, Operand<T> a, Operand<T> b, T* out) {
  switch (op) {
    case TapeOp::kAdd:
      return two(n, a, b, out, [](auto, auto x, auto y) { return hn::Add(x, y); });
    case TapeOp::kSubtract:
      return two(n, a, b, out, [](auto, auto x, auto y) { return hn::Sub(x, y); });
    case TapeOp::kMultiply:
      return two(n, a, b, out, [](auto, auto x, auto y) { return hn::Mul(x, y); });
    case TapeOp::kDivide:
      return two(n, a, b, out, [](auto, auto x, auto y) { return hn::Div(x, y); });
    case TapeOp::kMin:
      return two(n, a, b, out, [](auto, auto x, auto y) { return smaller(x, y); });
    case TapeOp::kMax:
      return two(n, a, b, out, [](auto, auto x, auto y) { return larger(x, y); });
    case TapeOp::kExpTimes:
      return two(n, a, b, out, [](auto d, auto x, auto y) { return exp_of(d, hn::Mul(x, y)); });
    case TapeOp::kSigmoidOf:
      return two(n, a, b, out, [](auto d, auto x, auto u) {
        const auto share = share_of_one(d, u);
        return hn::IfThenElse(hn::Ge(x, hn::Zero(d)), share, hn::Mul(u, share));
      });
    default:
      return two(n, a, b, out, [](auto d, auto x, auto u) {
        return hn::Add(hn::Max(x, hn::Zero(d)), log1p_of_share(d, u));
      });
  }
}

// Where c = -1 / n, n = 2^squarings, v = exp(-|x| / n) gives both parts of exp(c softplus(x)): v
// itself or 1, and (1 + v^n)^c, a polynomial of v^n, minimax, 9e-8 relative at most.
struct SigmoidRoot {
  int squarings;
  float factors[8];
};
inline constexpr SigmoidRoot kSigmoidRoots[] = {
    {2,
     {-0.00420168415F, 0.0214859229F, -0.0518489853F, 0.0842373446F, -0.114764862F, 0.155976683F,
      -0.24998799F, 0.99999994F}},
    {3,
     {-0.00167554733F, 0.00860670116F, -0.0209678244F, 0.0347068533F, -0.0488792323F, 0.070208557F,
      -0.124995463F, 0.99999994F}},
    {4,
     {-0.000742890057F, 0.0038248857F, -0.00936441589F, 0.0156512111F, -0.0224255938F,
      0.0331581272F, -0.0624980442F, 1.0F}},
};
inline const SigmoidRoot* sigmoid_root(double c) {
  for (const SigmoidRoot& root : kSigmoidRoots)
    if (c == -1.0 / (1 << root.squarings)) return &root;
  return nullptr;
}

// exp(c softplus(a b)), and c sigmoid(a b), the slope of its logarithm; slope null = not wanted.
// With a root, the slope is computed from v^n. Its relative error is then at most 3e-6.
template <int kCount, bool kA, bool kB, bool kSlope, class T>
HWY_INLINE void sigmoid_power_at(std::int64_t r, std::int64_t column, Extent size, Operand<T> a,
                                 Operand<T> b, T c, const SigmoidRoot* root, T* out, T* slope) {
  const Tag<T> d;
  const auto power = hn::Set(d, c), zero = hn::Zero(d);
  Pack<Tag<T>, kCount> x, u, y;
  each<kCount>([&](int n) {
    x.at[n] = hn::Mul(take<kA>(a.data + (r + n) * a.row, column),
                      take<kB>(b.data + (r + n) * b.row, column));
  });
  u = x;
  if (root) each<kCount>([&](int n) { u.at[n] = hn::Mul(u.at[n], power); });
  exp_down(d, u);
  y = u;
  for (int k = 0; root && k < root->squarings; ++k)
    each<kCount>([&](int n) { u.at[n] = hn::Mul(u.at[n], u.at[n]); });
  if constexpr (kSlope)
    each<kCount>([&](int n) {
      const auto share = hn::Mul(power, share_of_one(d, u.at[n]));
      hn::StoreU(hn::IfThenElse(hn::Ge(x.at[n], zero), share, hn::Mul(u.at[n], share)), d,
                 slope + (r + n) * size.columns + column);
    });
  if (root) {
    each<kCount>(
        [&](int n) { y.at[n] = hn::IfThenElse(hn::Lt(x.at[n], zero), hn::Set(d, T(1)), y.at[n]); });
    Pack<Tag<T>, kCount> q;
    each<kCount>([&](int n) { q.at[n] = hn::Set(d, static_cast<T>(root->factors[0])); });
    for (int k = 1; k < 8; ++k)
      each<kCount>([&](int n) {
        q.at[n] = hn::MulAdd(q.at[n], u.at[n], hn::Set(d, static_cast<T>(root->factors[k])));
      });
    each<kCount>([&](int n) { y.at[n] = hn::Mul(y.at[n], q.at[n]); });
  } else {
    log1p_of_share(d, u);
    each<kCount>(
        [&](int n) { y.at[n] = hn::Mul(power, hn::Add(hn::Max(x.at[n], zero), u.at[n])); });
    exp_below(d, y);
  }
  each<kCount>([&](int n) { hn::StoreU(y.at[n], d, out + (r + n) * size.columns + column); });
}

template <bool kA, bool kB, bool kSlope, bool kRoot, class T>
HWY_FLATTEN HWY_NOINLINE void map_sigmoid_power(Extent size, Operand<T> a, Operand<T> b, T c,
                                                const SigmoidRoot* given, T* out, T* slope) {
  constexpr int kCount = kWideRegisters ? 8 : 4;
  const SigmoidRoot* const root = kRoot ? given : nullptr;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(Tag<T>()));
  std::int64_t r = 0;
  for (; r + kCount <= size.rows; r += kCount)
    for (std::int64_t column = 0; column < size.columns; column += lanes)
      sigmoid_power_at<kCount, kA, kB, kSlope>(r, column, size, a, b, c, root, out, slope);
  for (; r < size.rows; ++r)
    for (std::int64_t column = 0; column < size.columns; column += lanes)
      sigmoid_power_at<1, kA, kB, kSlope>(r, column, size, a, b, c, root, out, slope);
}

template <class T>
void sigmoid_power(Extent n, Operand<T> a, Operand<T> b, T c, T* out, T* slope) {
  const SigmoidRoot* const root = sizeof(T) == 4 ? sigmoid_root(static_cast<double>(c)) : nullptr;
  const auto by = [&](auto a_each, auto b_each) {
    constexpr bool kA = decltype(a_each)::value, kB = decltype(b_each)::value;
    const auto run = [&](auto rooted) {
      constexpr bool kRoot = decltype(rooted)::value;
      if (slope) return map_sigmoid_power<kA, kB, true, kRoot>(n, a, b, c, root, out, slope);
      map_sigmoid_power<kA, kB, false, kRoot>(n, a, b, c, root, out, slope);
    };
    if constexpr (sizeof(T) == 4)
      if (root) return run(std::true_type());
    run(std::false_type());
  };
  // Either at least one is over cells, or one is over steps and the other over channels.
  if (a.each && b.each) return by(std::true_type(), std::true_type());
  if (a.each) return by(std::true_type(), std::false_type());
  by(std::false_type(), std::true_type());
}

template <class T>
void run_one(TapeOp op, Extent n, Operand<T> a, T* out) {
  switch (op) {
    case TapeOp::kNegate:
      return one(n, a, out, [](auto, auto x) { return hn::Neg(x); });
    case TapeOp::kAbs:
      return one(n, a, out, [](auto, auto x) { return hn::Abs(x); });
    case TapeOp::kStep:
      return one(n, a, out, [](auto d, auto x) {
        return hn::IfThenElseZero(hn::Gt(x, hn::Zero(d)), hn::Set(d, T(1)));
      });
    case TapeOp::kSqrt:
      return one(n, a, out, [](auto, auto x) { return hn::Sqrt(x); });
    case TapeOp::kTanh:
      return one(n, a, out, [](auto d, auto x) {
        const auto far = hn::Set(d, T(20));  // tanh is 1 there in every digit
        const auto near = hn::Tanh(d, hn::Max(hn::Neg(far), hn::Min(far, x)));
        return hn::IfThenElse(hn::Eq(x, x), near, x);
      });
    case TapeOp::kElu:
      return one(n, a, out, [](auto d, auto x) {
        return hn::IfThenElse(hn::Le(x, hn::Zero(d)), exp_minus_one(d, x), x);
      });
    case TapeOp::kLog:
      return one(n, a, out, [](auto d, auto x) { return log_of(d, x); });
    case TapeOp::kExp:
      return one(n, a, out, [](auto d, auto x) { return exp_of(d, x); });
    case TapeOp::kCos:
      return one(n, a, out, [](auto d, auto x) { return cos_of(d, x); });
    case TapeOp::kSin:
      return one(n, a, out, [](auto d, auto x) { return sin_of(d, x); });
    default:
      return one(n, a, out, [](auto d, auto x) { return exp_down(d, x); });
  }
}

template <class T>
void run_instruction(TapeOp op, Extent n, Operand<T> a, Operand<T> b, T* out) {
  // Contiguous rows are one long row.
  const bool whole =
      a.each && a.row == n.columns && (!takes_two(op) || (b.each && b.row == n.columns));
  if (whole) n = {1, n.rows * n.columns};
  if (takes_two(op))
    run_two(op, n, a, b, out);
  else
    run_one(op, n, a, out);
}

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

// to[r, lane] += the sum of a b along the row; to[lane] += all of them. Cells: rows `row` apart.
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
  sum_of<kOver, false, true>(n, a, b, to, row);  // at least one of them is of cells
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
