// How much memory a piece of work needs, counted where LibTorch asks for it.
#pragma once

#include <cstdint>

namespace lcsm {

// While one lives, every block that a tensor on the CPU takes, in any thread, is counted until it
// is given back. What was there before does not count, nor do blocks that come from elsewhere than
// LibTorch's allocator. One at a time, made and ended while no other thread allocates.
class PeakMemory {
 public:
  PeakMemory();  // throws std::logic_error while another lives
  ~PeakMemory();
  PeakMemory(const PeakMemory&) = delete;
  PeakMemory& operator=(const PeakMemory&) = delete;

  std::int64_t bytes() const;  // taken since the beginning and not yet given back
  std::int64_t peak() const;   // the most that `bytes` has been
};

}  // namespace lcsm
