// Counter-based random numbers (lcsm/base/philox.h): a number is a function of its position, so
// there is no state to save.
#pragma once

#include <array>
#include <cstdint>

#include "runner/base/random/split.h"

namespace runner {

// The purposes of random numbers, besides the examples of a split. The values are part of the
// format: other values draw other numbers.
enum class Draw : std::uint32_t {
  kOrder = 4,
  kDropout = 5,  // the higher 24 bits number the call within a step
  kSegments = 6,
  kMask = 7,
  kMix = 8,  // of a training step
  kErase = 9,
  kErasedValue = 10,
};

// The 2^34 numbers of one triple (seed, split or draw, index), independent of all other triples.
class RandomStream {
 public:
  RandomStream(std::uint64_t seed, Split split, std::uint64_t index)
      : RandomStream(seed, static_cast<std::uint32_t>(split), index) {}
  RandomStream(std::uint64_t seed, Draw draw, std::uint64_t index)
      : RandomStream(seed, static_cast<std::uint32_t>(draw), index) {}

  std::uint32_t next32() {
    if (used_ == 4) refill();
    return numbers_[used_++];
  }
  std::uint64_t next64();

  // Uniform over 0 .. n-1, without bias; n >= 1.
  std::uint64_t below(std::uint64_t n);

 private:
  RandomStream(std::uint64_t seed, std::uint32_t domain, std::uint64_t index);
  void refill();

  std::array<std::uint32_t, 4> counter_;
  std::array<std::uint32_t, 2> key_;
  std::array<std::uint32_t, 4> numbers_{};
  unsigned used_ = 4;
};

}  // namespace runner
