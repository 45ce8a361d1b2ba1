// Calls run through the judge, and their costs.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "lcsm/cuda/driver/kernel_call.h"
#include "tests/ptx/judge.h"
#include "tests/ptx/tests/compiled.h"

namespace ets::test {

// The pointer passed to a kernel; inputs are protected.
template <class T>
T* pointer(const ptx::Array<T>& array) {
  return reinterpret_cast<T*>(array.address());
}
template <class T>
const T* protect(ptx::Memory& memory, const ptx::Array<T>& array) {
  memory.protect(array.address());
  return pointer(array);
}

inline ptx::Counts judge(const ptx::Program& program, ptx::Memory& memory,
                         const std::vector<lcsm::KernelCall>& calls, int orders = 1,
                         const ptx::Options& options = {}) {
  ptx::Counts counts;
  for (const lcsm::KernelCall& call : calls) {
    ptx::Argument argument(0);
    const auto* const bytes = reinterpret_cast<const ptx::u8*>(call.argument.data());
    argument.bytes.assign(bytes, bytes + call.argument.size());
    const auto size = [](const auto& of) { return ptx::Size{of[0], of[1], of[2]}; };
    const ptx::Report report = ptx::run_in_orders(
        program, memory,
        {call.kernel, size(call.grid), size(call.block), call.shared_bytes, {argument}}, orders,
        options);
    EXPECT_EQ(report.text(), "") << call.kernel;
    counts = report.counts;
  }
  return counts;
}

// The largest difference, relative to the largest expected number.
template <class T>
double difference(const std::vector<T>& got, const std::vector<double>& expected) {
  double most = 1e-30, off = got.size() == expected.size() ? 0 : INFINITY;
  for (std::size_t n = 0; n < std::min(got.size(), expected.size()); ++n) {
    most = std::max(most, std::abs(expected[n]));
    const double by = std::abs(static_cast<double>(got[n]) - expected[n]);
    off = std::isnan(by) ? INFINITY : std::max(off, by);
  }
  return off / most;
}

// Allows 1.3 times the bytes that must move, and 1.1 times the wavefronts without conflicts.
// LCSM_FUZZ=1 prints both, and the instructions per lane.
inline void expect_cheap(const ptx::Counts& counts, double bytes, double work) {
  const double moved =
      32.0 * static_cast<double>(counts.global_read.used + counts.global_write.used) / bytes;
  const double conflicts =
      static_cast<double>(counts.shared.used) / static_cast<double>(counts.shared.ideal);
  EXPECT_LE(moved, 1.3);
  EXPECT_LE(conflicts, 1.1);
  if (std::getenv("LCSM_FUZZ"))
    std::cout << moved << " of the bytes, " << conflicts << " of the wavefronts, "
              << 32.0 * static_cast<double>(counts.instructions) / work << " instructions\n";
}

}  // namespace ets::test
