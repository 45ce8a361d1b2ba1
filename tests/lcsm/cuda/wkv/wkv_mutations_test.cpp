// Mutations of the kernels of the weighted mean.
#include <gtest/gtest.h>

#include "tests/lcsm/cuda/driver/mutations.h"
#include "tests/lcsm/cuda/wkv/wkv_case.h"

namespace lcsm::test {

TEST(WkvMutations, AreFound) {
  if (!no_mutations().empty()) GTEST_SKIP() << no_mutations();
  // Together these cover ragged tiles and channels, several tiles of a segment, several segments, a
  // case that starts and one that continues.
  const auto trial = [](const WkvShape& shape) {
    return Trial{"LCSM_WKV_float32()\nLCSM_WKV()\n", [shape](const Kernels& kernels) {
                   const Named inputs = random_wkv(shape, 5);
                   return fault_of(by_judge(shape, inputs, kernels, 2, {.limit = 3'000'000}),
                                   by_cpu(shape, inputs), tolerance_of(shape));
                 }};
  };
  expect_found(
      {.headers = {"lcsm/cuda/wkv/wkv_cuda.cuh"},
       .changed = "wkv_",
       .rules = {{"min(", "max("},
                 {" % ", " / "},
                 {"true", "false"},
                 {"fmaxf(", "fminf("},
                 {"fabsf(", "("},
                 {", -", ", "},
                 {"1.0f - ", ""},
                 {"tile.w", "tile.u"},
                 {"mean", "log_sum"},
                 {"above", "below"},
                 {"next_k", "next_v"}},
       .equivalent = {{"x > 0.0f ?", "both are 1 where x is 0"},
                      {"s.log_sum ? WkvSums", "there are both or neither"},
                      {"at + 1 <= tile.last", "a tile more is fetched, and not used"},
                      {"at - 1 < tile.last", "the same"},
                      {"tile.segment - 1 == tile.segments", "nothing is added, and handed on"}},
       .trials = {trial({.T = 700, .D = 34, .first = true, .processors = 8, .decay = 0.03}),
                  trial({.T = 150, .D = 5})}});
}

}  // namespace lcsm::test
