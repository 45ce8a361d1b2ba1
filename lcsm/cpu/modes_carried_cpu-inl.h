// What the sum of modes carries from block to block, per target (include inside foreach_target).
#if defined(LCSM_MODES_CARRIED_CPU_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LCSM_MODES_CARRIED_CPU_INL_H_
#undef LCSM_MODES_CARRIED_CPU_INL_H_
#else
#define LCSM_MODES_CARRIED_CPU_INL_H_
#endif

#include <hwy/aligned_allocator.h>

#include <algorithm>

#include "lcsm/cpu/modes_cpu.h"
#include "lcsm/cpu/modes_pass_cpu-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lcsm::HWY_NAMESPACE {

template <class T>
using Space = hwy::AlignedFreeUniquePtr<T[]>;
template <class T>
Space<T> space(std::int64_t count) {
  return hwy::AllocateAligned<T>(static_cast<std::size_t>(count));
}

// Numbers in float64, as many as fit a vector of that, and T between them.
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
template <class T>
HWY_INLINE void narrow(Wide value, T* to) {
  const Tag<double> d;
  const hn::Rebind<T, Tag<double>> narrow;
  if constexpr (sizeof(T) == 8)
    hn::StoreU(value, d, to);
  else
    hn::StoreU(hn::DemoteTo(narrow, value), narrow, to);
}

// sums += from, a strip.
template <class T>
void add_strip(const T* from, double* sums) {
  const Tag<double> d;
  for (std::int64_t n = 0; n < strip_width<T>(); n += wide_lanes())
    hn::StoreU(hn::Add(hn::LoadU(d, sums + n), widened(from + n)), d, sums + n);
}

// u or w of one direction, strip by strip, as it enters and leaves the blocks.
template <class T, int kParts>
class Carried {
 public:
  Carried(const ModesDirection<T>& direction, double* state, T* states, const ModesPart& part,
          std::int64_t blocks)
      : m_(direction),
        cells_(m_.shape.N * strip_width<T>()),
        state_(state + part.b * m_.shape.size()),
        states_(states ? states + part.b * blocks * m_.shape.size() : nullptr),
        z_(space<T>(kParts * cells_)),
        entered_(space<T>(kParts * cells_)) {}

  // Kept for this sequence only.
  void keep_states(std::int64_t blocks) {
    if (states_) return;
    kept_ = space<T>(blocks * m_.shape.size());
    states_ = kept_.get();
  }

  void enter(std::int64_t block, std::int64_t column) {
    each_row([&](std::int64_t in, std::int64_t out) {
      for (std::int64_t n = 0; n < strip_width<T>(); n += wide_lanes())
        narrow(hn::LoadU(Tag<double>(), state_ + out + column + n), entered_.get() + in + n);
      std::copy_n(entered_.get() + in, strip_width<T>(), z_.get() + in);
      if (states_) std::copy_n(z_.get() + in, strip_width<T>(), state(block) + out + column);
    });
  }
  void enter_again(std::int64_t block, std::int64_t column) {
    each_row([&](std::int64_t in, std::int64_t out) {
      std::copy_n(state(block) + out + column, strip_width<T>(), z_.get() + in);
    });
  }

  // What entered is kept in float64. The block has multiplied it by a power of q as it is in T:
  // that of exact q is put in its place.
  void leave(bool last_block, std::int64_t column) {
    if constexpr (sizeof(T) == 8) {
      each_row([&](std::int64_t in, std::int64_t out) {
        std::copy_n(z_.get() + in, strip_width<T>(), state_ + out + column);
      });
    } else {
      const double* const exact = m_.powers + (last_block ? 2 : 0) * m_.shape.size() + column;
      for (std::int64_t k = 0; k < m_.shape.N; ++k)
        leave_row(k * strip_width<T>(), exact + k * m_.shape.columns,
                  exact + m_.shape.size() + k * m_.shape.columns,
                  state_ + k * m_.shape.columns + column);
    }
  }

  T* z(std::int64_t n, int v) { return z_.get() + inside(n, v); }
  std::int64_t cells() const { return cells_; }
  T* state(std::int64_t block) const { return states_ + block * m_.shape.size(); }
  static std::int64_t inside(std::int64_t n, int v) {
    return n * strip_width<T>() + v * static_cast<std::int64_t>(hn::Lanes(Tag<T>()));
  }

  // Where each row begins in a strip, and in a matrix of all columns.
  template <class Work>
  void each_row(const Work& work) const {
    for (std::int64_t row = 0; row < kParts * m_.shape.N; ++row)
      work(row * strip_width<T>(), row * m_.shape.columns);
  }

 private:
  void leave_row(std::int64_t in, const double* exact, const double* rounded, double* to) const {
    const Tag<double> d;
    const std::int64_t parts = m_.shape.cells();
    for (std::int64_t n = 0; n < strip_width<T>(); n += wide_lanes()) {
      const auto read = [&](const double* from, int part) {
        return hn::LoadU(d, from + part * parts + n);
      };
      const auto number = [&](const Space<T>& from, int part) {
        return widened(from.get() + part * cells_ + in + n);
      };
      const Wide a = read(to, 0), a_T = number(entered_, 0), p = read(exact, 0);
      const Wide r = read(rounded, 0);
      Wide real = hn::Add(number(z_, 0), hn::MulSub(p, a, hn::Mul(r, a_T)));
      if constexpr (kParts == 2) {
        const Wide b = read(to, 1), b_T = number(entered_, 1), p_i = read(exact, 1);
        const Wide r_i = read(rounded, 1);
        real = hn::Sub(real, hn::MulSub(p_i, b, hn::Mul(r_i, b_T)));
        const Wide off =
            hn::Add(hn::MulSub(p, b, hn::Mul(r, b_T)), hn::MulSub(p_i, a, hn::Mul(r_i, a_T)));
        hn::StoreU(hn::Add(number(z_, 1), off), d, to + parts + n);
      }
      hn::StoreU(real, d, to + n);
    }
  }

  const ModesDirection<T>& m_;
  const std::int64_t cells_;
  double* const state_;
  T* states_;
  Space<T> z_, entered_, kept_;
};

}  // namespace lcsm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
