// The states of the sum of modes between blocks, per target (include inside foreach_target).
#if defined(LCSM_MODES_CARRIED_CPU_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LCSM_MODES_CARRIED_CPU_INL_H_
#undef LCSM_MODES_CARRIED_CPU_INL_H_
#else
#define LCSM_MODES_CARRIED_CPU_INL_H_
#endif

#include <hwy/aligned_allocator.h>

#include <algorithm>

#include "lcsm/cpu/modes/modes_cpu.h"
#include "lcsm/cpu/modes/modes_pass_cpu-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lcsm::HWY_NAMESPACE {

template <class T>
using Space = hwy::AlignedFreeUniquePtr<T[]>;
template <class T>
Space<T> space(std::int64_t count) {
  return hwy::AllocateAligned<T>(static_cast<std::size_t>(count));
}

// A float64 vector; widened() converts as many numbers of T to one.
using Wide = hn::Vec<Tag<double>>;
HWY_INLINE std::int64_t wide_lanes() { return static_cast<std::int64_t>(hn::Lanes(Tag<double>())); }
template <class T>
HWY_INLINE Wide widened(const T* from) {
  const Tag<double> d;
  if constexpr (sizeof(T) == 8)
    return hn::LoadU(d, from);
  else
    return hn::PromoteTo(d, hn::LoadU(hn::Rebind<T, Tag<double>>(), from));
}

// Adds one strip to sums in float64.
template <class T>
void add_strip(const T* from, double* sums) {
  const Tag<double> d;
  for (std::int64_t n = 0; n < strip_width<T>(); n += wide_lanes())
    hn::StoreU(hn::Add(hn::LoadU(d, sums + n), widened(from + n)), d, sums + n);
}

template <class T>
HWY_INLINE void copy_strip(const T* from, T* to) {
  const Tag<T> d;
  for (int v = 0; v < kVectors; ++v)
    hn::Store(hn::Load(d, from + v * static_cast<std::int64_t>(hn::Lanes(d))), d,
              to + v * static_cast<std::int64_t>(hn::Lanes(d)));
}

// The state u or w of one direction, for a part's channels, which enters and leaves the blocks of a
// strip. Between blocks, a float32 state is stored as the sum of two numbers.
template <class T, int kParts>
class Carried {
 public:
  // Starts from `state`; return_state writes it back.
  Carried(const ModesDirection<T>& direction, double* state, T* states, const ModesPart& part,
          std::int64_t blocks)
      : m_(direction),
        cells_(m_.shape.N * strip_width<T>()),
        first_(part.first),
        columns_((part.last - part.first + strip_width<T>() - 1) / strip_width<T>() *
                 strip_width<T>()),
        state_(state + part.b * m_.shape.size() + part.first),
        states_(states ? states + part.b * blocks * m_.shape.size() : nullptr),
        z_(space<T>(kParts * cells_)),
        high_(space<T>(kParts * m_.shape.N * columns_)),
        low_(space<T>(kParts * m_.shape.N * columns_)) {
    each_number([&](std::int64_t at, std::int64_t in_state) {
      high_[at] = static_cast<T>(state_[in_state]);
      low_[at] = static_cast<T>(state_[in_state] - static_cast<double>(high_[at]));
    });
  }
  void return_state() const {
    each_number([&](std::int64_t at, std::int64_t in_state) {
      state_[in_state] = static_cast<double>(high_[at]) + static_cast<double>(low_[at]);
    });
  }

  // Allocates states for this sequence only, unless the caller has provided them.
  void keep_states(std::int64_t blocks) {
    if (states_) return;
    kept_ = space<T>(blocks * m_.shape.size());
    states_ = kept_.get();
  }

  void enter(std::int64_t block, std::int64_t column) {
    for (std::int64_t row = 0; row < rows(); ++row) {
      T* const z = z_.get() + row * strip_width<T>();
      copy_strip(high_.get() + row * columns_ + column - first_, z);
      if (states_) copy_strip(z, state(block) + row * m_.shape.columns + column);
    }
  }
  void enter_again(std::int64_t block, std::int64_t column) {
    for (std::int64_t row = 0; row < rows(); ++row)
      copy_strip(state(block) + row * m_.shape.columns + column, z_.get() + row * strip_width<T>());
  }

  // The block has multiplied `high` by a power of q rounded to T. Replaces that power by the power
  // of exact q, and adds `low` times this power.
  void leave(bool last_block, std::int64_t column) {
    const T* const power = m_.powers + (last_block ? 2 : 0) * m_.shape.size() + column;
    for (std::int64_t n = 0; n < m_.shape.N; ++n)
      for (int v = 0; v < kVectors; ++v) {
        const std::int64_t lanes = v * static_cast<std::int64_t>(hn::Lanes(Tag<T>()));
        const std::int64_t at = n * columns_ + column - first_ + lanes;
        const auto left = load<kParts>(z(n, v), cells_);
        if constexpr (sizeof(T) == 8)
          store<kParts>(left, high_.get() + at, m_.shape.N * columns_);
        else
          leave(left, power + n * m_.shape.columns + lanes, at);
      }
  }

  T* z(std::int64_t n, int v) { return z_.get() + inside(n, v); }
  std::int64_t cells() const { return cells_; }
  std::int64_t rows() const { return kParts * m_.shape.N; }
  static std::int64_t inside(std::int64_t n, int v) {
    return n * strip_width<T>() + v * static_cast<std::int64_t>(hn::Lanes(Tag<T>()));
  }

 private:
  T* state(std::int64_t block) const { return states_ + block * m_.shape.size(); }

  template <class Work>
  void each_number(const Work& work) const {
    for (std::int64_t row = 0; row < rows(); ++row)
      for (std::int64_t n = 0; n < columns_; ++n)
        work(row * columns_ + n, row * m_.shape.columns + n);
  }

  void leave(Number<T, kParts> left, const T* power, std::int64_t at) {
    const std::int64_t parts = m_.shape.N * columns_;
    const auto exact = load<kParts>(power, m_.shape.cells());
    const auto lost = load<kParts>(power + m_.shape.size(), m_.shape.cells());
    const auto more = multiply_add(lost, load<kParts>(high_.get() + at, parts),
                                   multiply(exact, load<kParts>(low_.get() + at, parts)));
    Number<T, kParts> high, low;
    for (int p = 0; p < kParts; ++p) {
      high.part[p] = hn::Add(left.part[p], more.part[p]);
      low.part[p] = hn::Add(hn::Sub(left.part[p], high.part[p]), more.part[p]);
    }
    store<kParts>(high, high_.get() + at, parts);
    store<kParts>(low, low_.get() + at, parts);
  }

  const ModesDirection<T>& m_;
  const std::int64_t cells_, first_, columns_;
  double* const state_;
  T* states_;
  Space<T> z_, high_, low_, kept_;
};

}  // namespace lcsm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
