// Measures the memory that a piece of work needs, in LibTorch's allocator.
#pragma once

#include <cstdint>

namespace lcsm {

// While an instance lives, every block that a tensor on the CPU allocates, in any thread, is
// counted until it is freed. Earlier blocks do not count, nor do blocks of other allocators. Only
// one instance may live at a time. Create and destroy it while no other thread allocates.
class PeakMemory {
 public:
  PeakMemory();  // throws std::logic_error while another lives
  ~PeakMemory();
  PeakMemory(const PeakMemory&) = delete;
  PeakMemory& operator=(const PeakMemory&) = delete;

  std::int64_t bytes() const;  // allocated since construction and not yet freed
  std::int64_t peak() const;   // the most that `bytes` has been
};

}  // namespace lcsm
