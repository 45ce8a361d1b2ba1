// Mutations of the kernels of the sum of modes.
#include <gtest/gtest.h>

#include "tests/lcsm/cuda/driver/mutations.h"
#include "tests/lcsm/cuda/modes/modes_case.h"

namespace lcsm::test {

TEST(ModesMutations, AreFound) {
  if (!no_mutations().empty()) GTEST_SKIP() << no_mutations();
  // Together these cover every direction, late or not, time split or carried along, more modes than
  // a group, ragged tiles, padding, entering states.
  const std::vector<ModesShape> of_complex{
      {.T = 150, .D = 5, .N = 2, .is_complex = true, .first = true, .shortcut = true},
      {.T = 261,
       .D = 34,
       .N = 3,
       .ways = Ways::kBoth,
       .is_complex = true,
       .late = true,
       .first = true,
       .shortcut = true,
       .padding = true,
       .processors = 4},
      {.T = 100,
       .D = 5,
       .N = 9,
       .ways = Ways::kBack,
       .is_complex = true,
       .late = true,
       .first = true},
      {.T = 384, .D = 34, .is_complex = true, .first = true, .padding = true}};
  const std::vector<ModesShape> of_real{
      {.T = 261, .D = 34, .N = 3, .ways = Ways::kBoth, .late = true, .first = true},
      {.T = 300,
       .D = 5,
       .N = 9,
       .ways = Ways::kBack,
       .late = true,
       .first = true,
       .processors = 40},
      {.T = 1300, .D = 5, .ways = Ways::kBack, .shortcut = true, .padding = true, .processors = 10},
      {.T = 384, .D = 34, .late = true, .first = true, .shortcut = true, .padding = true}};
  expect_found(
      {.headers = {"lcsm/cuda/modes/modes_cuda.cuh"},
       .changed = "modes_",
       .rules = {{"min(", "max("},
                 {" % ", " / "},
                 {"kState", "kGradient"},
                 {"kGradient", "kState"},
                 {"true", "false"},
                 {"conjugate(", "("},
                 {"-a.x[1]", "a.x[1]"}},
       .equivalent = {{"n + 1 < tile.last + tile.first", "a tile more is fetched, and not used"},
                      {"group <= tile.modes", "a group of no modes more"},
                      {"kOne && length(tile)", "whole tiles go the way of ragged ones"},
                      {"first <= tiles; first += kAhead", "a group of no tiles more"},
                      {"kSums = 2 + kParts + 1", "a sum of nothing more"}},
       .trials = {trial_of("MODES", of_complex, 3'000'000),
                  trial_of("MODES", of_real, 3'000'000)}});
}

}  // namespace lcsm::test
