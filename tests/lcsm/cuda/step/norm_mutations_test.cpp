// Mutations of the kernels of norms.
#include <gtest/gtest.h>

#include "tests/lcsm/cuda/driver/mutations.h"
#include "tests/lcsm/cuda/step/norm_case.h"

namespace lcsm::test {

TEST(NormMutations, AreFound) {
  if (!no_mutations().empty()) GTEST_SKIP() << no_mutations();
  const auto trial = [](const NormCase& c) {
    const std::string source = c.bfloat16_x
                                   ? "LCSM_NORM_KERNELS(bfloat16_float32, lcsm::Bfloat16, float)"
                                   : "LCSM_NORM_KERNELS(float32_float32, float, float)";
    return Trial{source + "\nLCSM_NORM_SUM()\n", [c](const Kernels& kernels) -> std::string {
                   const Named given = random_norm(c);
                   const Judged got = by_judge(c, given, kernels, 2, {.limit = 3'000'000});
                   if (!got.findings.empty()) return got.findings;
                   for (const auto& [name, off] : differences(got.values, by_definition(c, given)))
                     if (!(off <= norm_tolerance(c, name))) return name;
                   return "";
                 }};
  };
  // Together these cover rows of one warp and of several, of fours and of any number, several rows
  // of a block, several blocks, and each kind of norm.
  expect_found(
      {.headers = {"lcsm/cuda/step/norm_cuda.cuh"},
       .changed = "norm_",
       .rules = {{"true", "false"},
                 {" % ", " / "},
                 {"fmaf(", "fmaf(-"},
                 {"share", "1.0f"},
                 {"weight", "bias"},
                 {"d_sum", "sum"},
                 {"__syncthreads();", ""},
                 {"row", "lane"},
                 {"kUnit", "kUnits"},
                 {"scale", "mean"},
                 {"s[u][j]", "g[u][j]"},
                 {"team", "teams"},
                 {"[1]", "[0]"}},
       .equivalent = {{"row - team <= n.rows", "what is not there is neither read nor written"}},
       .trials = {trial({.rows = 150, .d = 24, .residual = true, .processors = 2}),
                  trial({.rows = 5, .d = 8, .weights_from = 1}),
                  trial({.rows = 9, .d = 1030, .bfloat16_x = true, .residual = true}),
                  trial({.rows = 9, .d = 640, .bfloat16_x = true, .centered = false}),
                  trial({.rows = 5, .d = 30, .residual = true, .affine = false, .d_sum = false})}});
}

}  // namespace lcsm::test
