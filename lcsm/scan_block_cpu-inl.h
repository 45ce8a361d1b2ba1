// A block of a scan's steps and some of its channels: where its numbers come from and go to, per
// target (include inside foreach_target).
#if defined(LCSM_SCAN_BLOCK_CPU_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LCSM_SCAN_BLOCK_CPU_INL_H_
#undef LCSM_SCAN_BLOCK_CPU_INL_H_
#else
#define LCSM_SCAN_BLOCK_CPU_INL_H_
#endif

#include <algorithm>

#include "lcsm/math_cpu-inl.h"
#include "lcsm/scan_cpu.h"

HWY_BEFORE_NAMESPACE();
namespace lcsm::HWY_NAMESPACE {

template <class T>
class ScanBlock {
 protected:
  ScanBlock(const Scan<T>& scan, const ScanPart& part)
      : s_(scan),
        p_(part),
        lanes_(static_cast<std::int64_t>(hn::Lanes(Tag<T>()))),
        block_(std::min(scan_block_steps(scan.K, scan.D), scan.steps)),
        columns_(part.last - part.first),
        padded_(up(columns_)) {}

  std::int64_t up(std::int64_t n) const { return (n + lanes_ - 1) / lanes_ * lanes_; }
  std::int64_t blocks() const { return (s_.steps + block_ - 1) / block_; }
  void copy_memory(const T* from, T* to) const {
    for (std::int64_t k = 0; k < s_.K; ++k)
      std::copy(from + k * s_.D + p_.first, from + k * s_.D + p_.last, to + k * padded_);
  }
  void copy_memory_out(const T* from, T* to) const {
    for (std::int64_t k = 0; k < s_.K; ++k)
      std::copy(from + k * padded_, from + k * padded_ + columns_, to + k * s_.D + p_.first);
  }
  const T* channel(const T* rows, std::int64_t r) const {
    return rows + (p_.b * s_.steps + t_ + r) * s_.D + p_.first;
  }
  // Channels behind the last are 0 in what adds up ...
  void pack(const T* from, T* to) const {
    for (std::int64_t r = 0; r < rows_; ++r)
      std::copy(channel(from, r), channel(from, r) + columns_, to + r * padded_);
  }
  void unpack(const T* from, T* to) const {
    for (std::int64_t r = 0; r < rows_; ++r)
      std::copy(from + r * padded_, from + r * padded_ + columns_, const_cast<T*>(channel(to, r)));
  }
  // ... and like the last in what a gate is made from, where 0 could have no value.
  void fill_behind(T* row) const { std::fill(row + columns_, row + padded_, row[columns_ - 1]); }

  void load_stage(const ScanStage<T>& stage, T* to) const {
    if (stage.is_static) {
      std::copy(stage.data + k_ * s_.D + p_.first, stage.data + k_ * s_.D + p_.last, to);
      return;
    }
    const T* from = stage.data + (p_.b * s_.steps + t_) * s_.K + k_;
    for (std::int64_t r = 0; r < rows_; ++r) to[r] = from[r * s_.K];
  }
  void store_stage(const ScanStage<T>& stage, const T* from, T* to) const {
    if (!to) return;
    if (stage.is_static) {
      T* const row = to + (p_.worker * s_.K + k_) * s_.D + p_.first;
      for (std::int64_t c = 0; c < columns_; ++c) row[c] += from[c];
      return;
    }
    T* const first = to + ((p_.group * s_.B + p_.b) * s_.steps + t_) * s_.K + k_;
    for (std::int64_t r = 0; r < rows_; ++r) first[r * s_.K] = total(from + r * lanes_);
  }

  // A leaf's gradient at row r of the block; k: it varies over k.
  T& at_step(T* to, bool k, std::int64_t r) const {
    const std::int64_t step = (p_.group * s_.B + p_.b) * s_.steps + t_ + r;
    return to[k ? step * s_.K + k_ : step];
  }
  T total(const T* lanes) const {
    const Tag<T> d;
    return hn::GetLane(hn::SumOfLanes(d, hn::LoadU(d, lanes)));
  }

  const Scan<T>& s_;
  const ScanPart p_;
  const std::int64_t lanes_, block_, columns_, padded_;
  std::int64_t t_ = 0, rows_ = 0;  // of the block
  std::int64_t k_ = 0;             // row of the memory
};

}  // namespace lcsm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
