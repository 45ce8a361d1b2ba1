#include "tests/ptx/clock.h"

#include <algorithm>

namespace ptx {

void Clock::reset() {
  now_ = 1;
  known_ = {};
  for (auto& part : parts_) part.clear();
}

Clock::Known Clock::arrive(int warp) {
  const auto w = static_cast<std::size_t>(warp);
  known_[w][w] = now_++;
  return known_[w];
}

void Clock::join(int warp, const Known& known) {
  Known& own = known_[static_cast<std::size_t>(warp)];
  for (std::size_t k = 0; k < own.size(); ++k) own[k] = std::max(own[k], known[k]);
}

void Clock::synchronize(int warp, u32 mask) {
  const auto w = static_cast<std::size_t>(warp);
  const u32 time = now_++;
  if (mask == kWholeWarp) {
    known_[w][w] = time;
    return;
  }
  std::vector<u32>& part = parts_[w];
  part.resize(32 * 32);
  std::array<u32, 32> best = {};
  lanes(mask, [&](int lane) {
    for (int k = 0; k < 32; ++k)
      best[static_cast<std::size_t>(k)] = std::max(best[static_cast<std::size_t>(k)],
                                                   part[static_cast<std::size_t>(32 * lane + k)]);
  });
  lanes(mask, [&](int lane) { best[static_cast<std::size_t>(lane)] = time; });
  lanes(mask, [&](int lane) { std::copy(best.begin(), best.end(), part.begin() + 32 * lane); });
}

bool Clock::sees_all(int warp, int lane, int other, u32 other_lanes, u32 stamp) const {
  if (stamp <= known_[static_cast<std::size_t>(warp)][static_cast<std::size_t>(other)]) return true;
  for (u32 mask = other_lanes; mask != 0; mask &= mask - 1)
    if (!sees(warp, lane, other, std::countr_zero(mask), stamp)) return false;
  return true;
}

}  // namespace ptx
