// The operations of a tape over a block, per target (include inside foreach_target).
#if defined(LCSM_TAPE_CPU_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LCSM_TAPE_CPU_INL_H_
#undef LCSM_TAPE_CPU_INL_H_
#else
#define LCSM_TAPE_CPU_INL_H_
#endif

#include "lcsm/cpu/tape_functions_cpu-inl.h"
#include "lcsm/tape/tape.h"

HWY_BEFORE_NAMESPACE();
namespace lcsm::HWY_NAMESPACE {

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

// b is read only by operations of two operands. kSigmoidPower, which has three, is TapeBlock's.
template <class T>
void run_instruction(TapeOp op, Extent n, Operand<T> a, Operand<T> b, T* out) {
  // Contiguous rows are one long row.
  const bool whole =
      a.each && a.row == n.columns && (!takes_two(op) || (b.each && b.row == n.columns));
  if (whole) n = {1, n.rows * n.columns};
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
      if (exp_times(n, a, b, out)) return;
      return two(n, a, b, out,
                 [](auto d, auto x, auto y) { return finite(d, exp_of(d, hn::Mul(x, y))); });
    case TapeOp::kSigmoidOf:
      return two(n, a, b, out, [](auto d, auto x, auto u) {
        const auto share = share_of_one(d, u);
        return hn::IfThenElse(hn::Ge(x, hn::Zero(d)), share, hn::Mul(u, share));
      });
    case TapeOp::kSoftplusOf:
      return two(n, a, b, out, [](auto d, auto x, auto u) {
        return hn::Add(hn::Max(x, hn::Zero(d)), log1p_of_share(d, u));
      });
    case TapeOp::kSigmoidPower:
      return;
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
        const auto far = hn::Set(d, T(20));  // tanh rounds to 1 there
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
      return one(n, a, out, [](auto d, auto x) { return finite(d, exp_of(d, x)); });
    case TapeOp::kExpDown:
      return one(n, a, out, [](auto d, auto x) { return exp_down(d, x); });
    case TapeOp::kCos:
      return one(n, a, out, [](auto d, auto x) { return cos_of(d, x); });
    case TapeOp::kSin:
      return one(n, a, out, [](auto d, auto x) { return sin_of(d, x); });
  }
}

}  // namespace lcsm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
