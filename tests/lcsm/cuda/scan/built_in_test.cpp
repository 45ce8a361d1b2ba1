#include "lcsm/cuda/scan/built_in.h"

#include <gtest/gtest.h>

#include <set>

#include "lcsm/code/plan.h"
#include "lcsm/cuda/scan/scan_cuda.h"

namespace lcsm {

TEST(BuiltInScans, AreTheCodesWhosePlanIsTheScanEachOnce) {
  const Catalogue catalogue;
  std::set<std::string> names, codes;
  for (const BuiltInScan& scan : built_in_scans()) {
    EXPECT_TRUE(names.insert(scan.name).second) << scan.name;
    for (const std::string& code : scan.codes) {
      EXPECT_TRUE(codes.insert(code).second) << code;
      const std::string whole = code.find('-') < code.size() ? code + "-0" : code;
      EXPECT_EQ(plan_of(make_variant(parse_code(whole, catalogue), catalogue)).machine,
                Machine::kScan);
    }
  }
  for (const char* code : {"1-9-1", "0-0-1", "1-3-0", "0-1-0", "0-12-1", "ssm", "m3"})
    EXPECT_TRUE(codes.contains(code)) << code;
  EXPECT_FALSE(codes.contains("1-3-1"));  // chunked
}

// Leaves have the order of the tape's values, and few enough for a launch.
TEST(BuiltInScans, FitALaunch) {
  for (const BuiltInScan& scan : built_in_scans()) {
    EXPECT_LE(scan.over_k.size(), std::size_t{kScanMostLeaves});
    for (std::size_t n = 0; n < scan.over_k.size(); ++n)
      EXPECT_EQ(scan.tape.values[n].leaf, static_cast<int>(n));
  }
}

}  // namespace lcsm
