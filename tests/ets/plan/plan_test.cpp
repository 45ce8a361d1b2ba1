#include "ets/plan/plan.h"

#include <gtest/gtest.h>

namespace ets {
namespace {

TEST(Plan, NamesEveryMachine) {
  for (const FilterMachineRow& row : machine_rows()) {
    ASSERT_NE(machine_named(row.name), nullptr);
    EXPECT_EQ(machine_named(row.name)->machine, row.machine);
    EXPECT_EQ(to_string(row.machine), row.name);
    EXPECT_FALSE(row.help.empty());
  }
  EXPECT_EQ(machine_named("fast"), nullptr);
}

// Pinned, so that a change of the costs shows where it moves a choice.
TEST(Plan, ChoosesByModesLengthAndKernel) {
  const auto machine = [](const FilterShape& shape) { return to_string(choose(shape).machine); };
  EXPECT_EQ(machine({.B = 16, .T = 4096}), "fft");
  EXPECT_EQ(machine({.B = 16, .T = 4096, .modes = 1}), "modes");
  EXPECT_EQ(machine({.B = 16, .T = 4096, .directions = 2, .modes = 1, .is_complex = true}),
            "modes");
  EXPECT_EQ(machine({.B = 16, .T = 4096, .modes = 16, .kernel = 1024}), "modes");
  EXPECT_EQ(machine({.B = 16, .T = 4096, .modes = 16, .is_complex = true}), "modes");
  EXPECT_EQ(machine({.B = 16, .T = 4096, .modes = 32, .is_complex = true}), "fft");
  EXPECT_EQ(machine({.B = 1, .T = 4096, .modes = 64, .is_complex = true}), "modes");
  EXPECT_EQ(machine({.B = 16, .T = 64, .modes = 64, .is_complex = true}), "modes");
}

TEST(Plan, CostsGrowWithModesDirectionsAndTails) {
  for (const FilterMachine each : {FilterMachine::kModes, FilterMachine::kFft}) {
    const FilterShape one{.B = 4, .T = 1000, .modes = 1};
    FilterShape more = one;
    more.modes = 2;
    EXPECT_GT(cost_of(each, more), cost_of(each, one));
    more.is_complex = true;
    EXPECT_GT(cost_of(each, more), cost_of(each, one));
    more = one;
    more.directions = 2;
    EXPECT_GT(cost_of(each, more), cost_of(each, one));
  }
  FilterShape cut{.B = 4, .T = 1000, .modes = 8, .kernel = 100};
  const double without = cost_of(FilterMachine::kModes, cut),
               by_fft = cost_of(FilterMachine::kFft, cut);
  cut.lasting = 8;
  EXPECT_GT(cost_of(FilterMachine::kModes, cut), 1.5 * without);
  EXPECT_EQ(cost_of(FilterMachine::kFft, cut), by_fft);
}

TEST(Plan, SaysWhy) {
  EXPECT_EQ(choose({.B = 16, .T = 4096}).why, "a kernel without modes: fft");
  EXPECT_EQ(choose({.B = 16, .T = 8, .modes = 2}).why, "2 real modes, a short sequence: modes");
  const std::string why = choose({.B = 16, .T = 4096, .modes = 1, .is_complex = true}).why;
  EXPECT_EQ(why, "1 complex mode: modes takes 1.1 ns per step and channel, fft 4.7");
}

}  // namespace
}  // namespace ets
