// A vector of neighboring channels of rows, per target (include after highway.h, inside
// foreach_target).
#if defined(LCSM_CHANNELS_CPU_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LCSM_CHANNELS_CPU_INL_H_
#undef LCSM_CHANNELS_CPU_INL_H_
#else
#define LCSM_CHANNELS_CPU_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace lcsm::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Channels of d from `first` on; if fewer than a vector remain, the other lanes are 0.
template <class T>
class Channels {
 public:
  using D = hn::ScalableTag<T>;
  Channels(std::int64_t first, std::int64_t d)
      : first_(first),
        count_(std::min(d - first, static_cast<std::int64_t>(hn::Lanes(D())))),
        full_(count_ == static_cast<std::int64_t>(hn::Lanes(D()))) {}

  HWY_INLINE hn::Vec<D> load(const T* row) const {
    if (full_) return hn::LoadU(D(), row + first_);
    HWY_ALIGN T lanes[hn::MaxLanes(D())] = {};
    std::copy(row + first_, row + first_ + count_, lanes);
    return hn::Load(D(), lanes);
  }
  HWY_INLINE void store(hn::Vec<D> x, T* row) const {
    if (full_) return hn::StoreU(x, D(), row + first_);
    HWY_ALIGN T lanes[hn::MaxLanes(D())];
    hn::Store(x, D(), lanes);
    std::copy(lanes, lanes + count_, row + first_);
  }

 private:
  const std::int64_t first_, count_;
  const bool full_;
};

}  // namespace lcsm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
