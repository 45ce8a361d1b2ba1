// Checks the judge's report about a kernel. With LCSM_FUZZ=1, tests of kernels try more cases and
// print figures.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <iostream>
#include <string>

#include "tests/lcsm/cuda/driver/judged_device.h"

namespace lcsm::test {

inline bool fuzzes() { return std::getenv("LCSM_FUZZ") != nullptr; }

// Expects no finding, and the expected values. `what`: the case, for messages. `tolerance`: for the
// values of a name.
inline void expect_right(const Judged& got, Named expected,
                         const std::function<double(const std::string& name)>& tolerance,
                         const std::string& what) {
  EXPECT_EQ(got.findings, "") << what;
  std::erase_if(expected, [&](const auto& row) { return !got.values.count(row.first); });
  for (const auto& [name, off] : differences(got.values, expected)) {
    EXPECT_LE(off, tolerance(name)) << name << ", " << what;
    if (fuzzes()) std::cout << what << ": " << name << " " << off << std::endl;
  }
}
inline void expect_right(const Judged& got, const Named& expected, double tolerance,
                         const std::string& what) {
  expect_right(
      got, expected, [&](const std::string&) { return tolerance; }, what);
}

}  // namespace lcsm::test
