#include "lcsm/cpu/decay_cpu.h"

#include <hwy/aligned_allocator.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "lcsm/cpu/kernels_cpu.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "lcsm/cpu/decay_cpu.cpp"
#include <hwy/foreach_target.h>

#include "lcsm/cpu/math_cpu-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lcsm::HWY_NAMESPACE {
namespace {

// Calls work(d, n) for whole vectors of [0, n), then work(one, n) for each remaining value.
template <class T, class Work>
HWY_INLINE void along(std::int64_t count, const Work& work) {
  const Tag<T> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  std::int64_t n = 0;
  for (; n + lanes <= count; n += lanes) work(d, n);
  const hn::CappedTag<T, 1> one;
  for (; n < count; ++n) work(one, n);
}

template <class D, class V>
HWY_INLINE V exp_any(D d, V x) {
  if constexpr (std::is_same_v<D, Tag<hn::TFromD<D>>>) {
    return exp_of(d, x);
  } else {
    return hn::Set(d, std::exp(hn::GetLane(x)));
  }
}

// Computes one row of decays, and of scales that continue the row `before`; returns the smallest
// scale.
template <class T>
T scale_row(std::int64_t count, const T* log_o, bool each, const T* before, T* o, T* scale) {
  const Tag<T> d;
  T smallest = 1;
  auto least = hn::Set(d, T(1));
  along<T>(count, [&](auto tag, std::int64_t n) {
    const auto decay = exp_any(tag, each ? hn::LoadU(tag, log_o + n) : hn::Set(tag, *log_o));
    const auto s = before ? hn::Mul(decay, hn::LoadU(tag, before + n)) : decay;
    hn::StoreU(decay, tag, o + n);
    hn::StoreU(s, tag, scale + n);
    if constexpr (std::is_same_v<decltype(tag), Tag<T>>)
      least = hn::Min(least, s);
    else
      smallest = std::min(smallest, hn::GetLane(s));
  });
  return std::min(smallest, hn::GetLane(hn::MinOfLanes(d, least)));
}

template <class T>
void invert_row(std::int64_t count, const T* scale, T* inverse) {
  along<T>(count, [&](auto tag, std::int64_t n) {
    hn::StoreU(hn::Div(hn::Set(tag, T(1)), hn::LoadU(tag, scale + n)), tag, inverse + n);
  });
}

// The decays of one axis of a sequence. A row is computed first; its smallest scale then decides
// whether it starts a chunk.
template <class T>
class Axis {
 public:
  Axis(std::int64_t count, const LogDecay<T>& log, const DecayTable<T>& table)
      : n_(count),
        log_(log),
        table_(table),
        o_(log.data ? hwy::AllocateAligned<T>(static_cast<std::size_t>(count)) : nullptr) {}

  // The smallest scale of step t if it continued the chunk of the step before.
  T peek(std::int64_t t, bool starts) {
    if (!log_.data) return 1;
    const T* before = starts || first_ == t - 1 ? nullptr : table_.scale + (t - 1) * n_;
    return scale_row(n_, log_.data + t * log_.step, log_.each, before, o_.get(),
                     table_.scale + t * n_);
  }
  void start(std::int64_t t) {
    first_ = t;
    if (!log_.data) return;
    std::copy(o_.get(), o_.get() + n_, table_.scale + t * n_);
    std::fill_n(table_.inverse + t * n_, n_, T(1));
  }
  void extend(std::int64_t t) {
    if (log_.data) invert_row(n_, table_.scale + t * n_, table_.inverse + t * n_);
  }

 private:
  std::int64_t n_, first_ = -1;
  const LogDecay<T> log_;
  const DecayTable<T> table_;
  hwy::AlignedFreeUniquePtr<T[]> o_;
};

// The product of both axes' scales stays above this, so that its inverse times an input stays
// finite.
template <class T>
constexpr T kSmallestScale = sizeof(T) == 4 ? T(1e-15) : T(1e-120);

template <class T>
Chunks fill_tables(std::int64_t steps, std::int64_t k, std::int64_t d, const LogDecay<T>& log_k,
                   const LogDecay<T>& log_d, const DecayTable<T>& table_k,
                   const DecayTable<T>& table_d, std::int64_t spacing) {
  Axis<T> axis_k(k, log_k, table_k), axis_d(d, log_d, table_d);
  Chunks chunks;
  std::int64_t last_anchor = -spacing;
  for (std::int64_t t = 0; t < steps; ++t) {
    bool starts = t == 0 || t - chunks.starts.back() == kChunkSteps;
    const T smallest = axis_k.peek(t, starts) * axis_d.peek(t, starts);
    starts = starts || !(smallest >= kSmallestScale<T>);
    if (starts) {
      axis_k.start(t);
      axis_d.start(t);
      const bool anchor = t - last_anchor >= spacing;
      if (anchor) last_anchor = t;
      chunks.starts.push_back(t);
      chunks.anchor.push_back(anchor ? chunks.anchors++ : -1);
    } else {
      axis_k.extend(t);
      axis_d.extend(t);
    }
  }
  chunks.starts.push_back(steps);
  return chunks;
}

// L_t = L_{t-1} + softplus(z - L_{t-1}), by compensated summation: after many steps the share of
// one step is smaller than the last digit of L.
template <class T>
void softmax(std::int64_t steps, std::int64_t count, const T* z, T* log_o, T* log_sum) {
  along<T>(count, [&](auto tag, std::int64_t n) {
    auto sum = hn::LoadU(tag, log_sum + n), lost = hn::Zero(tag);
    const auto nothing = hn::Set(tag, -std::numeric_limits<T>::infinity());
    for (std::int64_t t = 0; t < steps; ++t) {
      const auto logit = hn::LoadU(tag, z + t * count + n);
      const auto ahead = hn::Add(hn::Sub(logit, sum), lost);
      const auto u = exp_any(tag, hn::Neg(hn::Abs(ahead)));
      auto more = hn::Max(ahead, hn::Zero(tag));
      if constexpr (std::is_same_v<decltype(tag), Tag<T>>)
        more = hn::Add(more, log1p_of_share(tag, u));
      else
        more = hn::Add(more, hn::Set(tag, std::log1p(hn::GetLane(u))));
      const auto first = hn::Eq(sum, nothing);
      hn::StoreU(hn::IfThenElse(first, nothing, hn::Neg(more)), tag, log_o + t * count + n);
      const auto adds = hn::Sub(more, lost), after = hn::Add(sum, adds);
      lost = hn::IfThenZeroElse(first, hn::Sub(hn::Sub(after, sum), adds));
      sum = hn::IfThenElse(first, logit, after);
    }
    hn::StoreU(sum, tag, log_sum + n);
  });
}

// R_t is the total gradient of L_t: R_{t-1} = a_t - a_{t-1} + o_t R_t, d_z_t = (1 - o_t) R_t.
template <class T>
void softmax_backward(std::int64_t steps, std::int64_t count, const T* log_o, const T* d_log_o,
                      const T* d_last, T* d_z, T* d_first) {
  along<T>(count, [&](auto tag, std::int64_t n) {
    auto r = hn::LoadU(tag, d_last + n);
    for (std::int64_t t = steps - 1; t >= 0; --t) {
      const auto a = hn::LoadU(tag, d_log_o + t * count + n);
      const auto o = exp_any(tag, hn::LoadU(tag, log_o + t * count + n));
      r = hn::Sub(r, a);
      hn::StoreU(hn::NegMulAdd(o, r, r), tag, d_z + t * count + n);
      r = hn::MulAdd(o, r, a);
    }
    hn::StoreU(r, tag, d_first + n);
  });
}

template <class T>
DecayKernels<T> kernels_of() {
  return {fill_tables<T>, softmax<T>, softmax_backward<T>};
}
DecayKernels<float> float_kernels() { return kernels_of<float>(); }
DecayKernels<double> double_kernels() { return kernels_of<double>(); }

}  // namespace
}  // namespace lcsm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lcsm {

Chunks even_chunks(std::int64_t steps) {
  Chunks chunks;
  for (std::int64_t t = 0; t < steps; t += kChunkSteps) {
    chunks.starts.push_back(t);
    chunks.anchor.push_back(-1);
  }
  chunks.starts.push_back(steps);
  return chunks;
}

LCSM_CHOOSE_KERNELS(DecayKernels, decay_kernels)

}  // namespace lcsm
#endif
