// Flushes denormal numbers to 0. Decaying memories reach them, and arithmetic with them is about a
// hundred times slower.
#pragma once

#include <hwy/base.h>

#if HWY_ARCH_X86
#include <xmmintrin.h>
#endif

namespace lcsm {

// Treats denormal numbers as 0 in this thread, until it is destroyed.
class FlushDenormals {
 public:
#if HWY_ARCH_X86
  FlushDenormals() : before_(_mm_getcsr()) { _mm_setcsr(before_ | kResults | kOperands); }
  ~FlushDenormals() { _mm_setcsr(before_); }

 private:
  static constexpr unsigned kResults = 1u << 15, kOperands = 1u << 6;  // FTZ, DAZ
  const unsigned before_;
#else
  FlushDenormals() = default;
#endif
  FlushDenormals(const FlushDenormals&) = delete;
  FlushDenormals& operator=(const FlushDenormals&) = delete;
};

}  // namespace lcsm
