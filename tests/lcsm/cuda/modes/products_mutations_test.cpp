// Mutations of the kernels of the sum of many modes.
#include <gtest/gtest.h>

#include "tests/lcsm/cuda/driver/mutations.h"
#include "tests/lcsm/cuda/modes/modes_case.h"

namespace lcsm::test {

TEST(ProductsMutations, AreFound) {
  if (!no_mutations().empty()) GTEST_SKIP() << no_mutations();
  // Together these cover every direction, late or not, time split or carried along, several passes,
  // ragged tiles, padding, entering states, channels that fill no sector.
  const std::vector<ModesShape> of_complex{{.B = 1,
                                            .T = 1060,
                                            .D = 9,
                                            .N = 9,
                                            .ways = Ways::kBoth,
                                            .is_complex = true,
                                            .late = true,
                                            .first = true,
                                            .shortcut = true,
                                            .padding = true,
                                            .processors = 4},
                                           {.T = 140, .D = 8, .N = 33, .is_complex = true}};
  const std::vector<ModesShape> of_real{
      {.B = 1,
       .T = 575,
       .D = 17,
       .N = 17,
       .ways = Ways::kBack,
       .bfloat16 = true,
       .first = true,
       .shortcut = true,
       .padding = true},
      {.B = 2, .T = 1100, .D = 16, .N = 20, .bfloat16 = true, .processors = 40}};
  expect_found(
      {.headers = {"lcsm/cuda/modes/modes_cuda.cuh", "lcsm/cuda/modes/products_cuda.cuh"},
       .changed = "modes/products_",
       .rules = {{" % ", " / "},
                 {"true", "false"},
                 {"-a.y", "a.y"},
                 {"__syncwarp();", ";"},
                 {"<< 1", "<< 2"}},
       .equivalent = {{"n <= kChannels * pairs", "one more, between channels"},
                      {"s.carried || s.before", "what was read is written again"},
                      {"sizeof(T) != 4 ? row", "another swizzle, as sound: bank conflicts"}},
       .trials = {trial_of("PRODUCTS", of_complex, 1'500'000),
                  trial_of("PRODUCTS", of_real, 1'500'000)}});
}

}  // namespace lcsm::test
