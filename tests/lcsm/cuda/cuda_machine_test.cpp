#include "lcsm/cuda/cuda_machine.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "lcsm/code/code.h"
#include "tests/message_of.h"

namespace lcsm {
namespace {

Machine machine_of(const std::string& code, int k = 8) {
  const Catalogue catalogue;
  const Variant v = make_variant(parse_code(code, catalogue), catalogue, {.d = 8, .k = k});
  return cuda_machine_of(v, plan_of(v));
}

std::string refusal(const std::string& code, int k = 8) {
  return message_of<std::invalid_argument>([&] { machine_of(code, k); });
}

}  // namespace

TEST(CudaMachine, IsThatOfThePlan) {
  EXPECT_EQ(machine_of("1-1-1-0"), Machine::kChunk);
  EXPECT_EQ(machine_of("1-11-1-0", 64), Machine::kChunk);
  EXPECT_EQ(machine_of("fwp"), Machine::kDelta);
  EXPECT_EQ(machine_of("0-s4d-0-0"), Machine::kModes);
  EXPECT_EQ(machine_of("1-9-1-0"), Machine::kScan);
  EXPECT_EQ(machine_of("1-ces-1-0"), Machine::kComplex);
}

TEST(CudaMachine, IsTheScanWhereOthersTakeFewerRows) {
  EXPECT_EQ(machine_of("1-1-1-0", 129), Machine::kScan);
  EXPECT_EQ(machine_of("0-0-0-0", 65), Machine::kScan);
}

TEST(CudaMachine, IsRefusedWithASentence) {
  EXPECT_EQ(refusal("fwp", 128), "");
  EXPECT_EQ(
      refusal("fwp", 129),
      "oscillation fwp on a GPU: expected at most 128 rows for the delta rule, got k = 129; run "
      "it on the CPU");
}

}  // namespace lcsm
