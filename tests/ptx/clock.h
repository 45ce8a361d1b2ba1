// Vector clocks: up to which stamp barriers order the accesses of other warps and lanes before a
// warp's own.
#pragma once

#include <array>
#include <vector>

#include "tests/ptx/numbers.h"

namespace ptx {

class Clock {
 public:
  using Known = std::array<u32, 32>;  // by warp

  void reset();
  u32 now() const { return now_; }

  // A warp arrives at a barrier. Returns its knowledge, including its own accesses so far.
  Known arrive(int warp);
  void join(int warp, const Known& known);
  // bar.warp.sync of some lanes.
  void synchronize(int warp, u32 mask);

  // Is what lane `other_lane` of `other` did at `stamp` ordered before the accesses of this lane?
  bool sees(int warp, int lane, int other, int other_lane, u32 stamp) const {
    const auto w = static_cast<std::size_t>(warp), o = static_cast<std::size_t>(other);
    if (stamp <= known_[w][o]) return true;
    if (warp != other) return false;
    const auto& part = parts_[w];
    return lane == other_lane ||
           (!part.empty() && stamp <= part[static_cast<std::size_t>(32 * lane + other_lane)]);
  }
  bool sees_all(int warp, int lane, int other, u32 other_lanes, u32 stamp) const;

 private:
  u32 now_ = 1;
  std::array<Known, 32> known_ = {};
  std::array<std::vector<u32>, 32> parts_;  // 32 x 32 lanes, of warps that synchronized in part
};

}  // namespace ptx
