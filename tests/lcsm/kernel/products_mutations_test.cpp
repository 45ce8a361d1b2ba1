// Mutations of the kernels of the sum of many modes.
#include <gtest/gtest.h>

#include "tests/lcsm/kernel/modes_case.h"
#include "tests/lcsm/kernel/mutations.h"

namespace lcsm::test {
namespace {

// The kernels of one kind of modes and type, and cases of them.
Trial trial(std::vector<ModesShape> shapes) {
  const std::string kind = shapes[0].is_complex ? "complex" : "real",
                    type = shapes[0].bfloat16 ? "bfloat16" : "float32";
  return {"LCSM_PRODUCTS_" + kind + "_" + type + "()\nLCSM_MODES_" + kind + "()\n",
          [shapes](const Kernels& kernels) {
            for (const ModesShape& shape : shapes) {
              const Named inputs = random_modes(shape, 5);
              const Judged got = by_judge(shape, inputs, kernels, 2, {.limit = 1'500'000});
              if (std::string fault =
                      fault_of(got, by_definition(shape, inputs), shape.bfloat16 ? 2e-2 : 1e-5);
                  !fault.empty())
                return fault;
            }
            return std::string();
          }};
}

}  // namespace

TEST(ProductsMutations, AreFound) {
  if (!no_mutations().empty()) GTEST_SKIP() << no_mutations();
  // Between them: every direction, late or not, time split or carried along, several passes, ragged
  // tiles, padding, states that enter, channels that fill no sector.
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
      {.headers = {"lcsm/cuda/math_cuda.cuh", "lcsm/cuda/scan_cuda.h",
                   "lcsm/cuda/modes_value_cuda.cuh", "lcsm/cuda/scan_tile_cuda.cuh",
                   "lcsm/cuda/chunk_cuda.h", "lcsm/cuda/chunk_products_cuda.cuh",
                   "lcsm/modes/modes_cuda.h", "lcsm/modes/modes_tile_cuda.cuh",
                   "lcsm/modes/modes_carry_cuda.cuh", "lcsm/modes/modes_cuda.cuh",
                   "lcsm/modes/products_cuda.h", "lcsm/modes/products_pair_cuda.cuh",
                   "lcsm/modes/products_operands_cuda.cuh", "lcsm/modes/products_tile_cuda.cuh",
                   "lcsm/modes/products_steps_cuda.cuh", "lcsm/modes/products_forward_cuda.cuh",
                   "lcsm/modes/products_backward_cuda.cuh", "lcsm/modes/products_cuda.cuh"},
       .changed = "modes/products_",
       .rules = {{" % ", " / "},
                 {"true", "false"},
                 {"-a.y", "a.y"},
                 {"__syncwarp();", ";"},
                 {"<< 1", "<< 2"}},
       .equivalent = {{"n <= kChannels * pairs", "one more, between channels"},
                      {"s.carried || s.before", "what was read is written again"}},
       .trials = {trial(of_complex), trial(of_real)},
       .stride = 149});
}

}  // namespace lcsm::test
