// The kernels of the sum of modes through the judge, forward and backward, against the definition
// in float64. LCSM_FUZZ=1 tries every length with every number of modes, and prints figures.
#include "lcsm/cuda/modes/modes_calls.h"

#include <gtest/gtest.h>

#include <iostream>
#include <stdexcept>

#include "tests/lcsm/cuda/driver/expect_judged.h"
#include "tests/lcsm/cuda/modes/modes_case.h"

namespace lcsm::test {
namespace {

constexpr Ways kAllWays[] = {Ways::kForward, Ways::kBack, Ways::kBoth};

class ModesKernels : public testing::Test {
 protected:
  void SetUp() override {
    if (!built_kernels("modes")) GTEST_SKIP() << "no CUDA toolkit when this was built";
  }
  Judged judged(const ModesShape& shape, int orders = 1, const ptx::Options& options = {}) {
    return expect_right(shape, orders, options);
  }
};

}  // namespace

TEST_F(ModesKernels, AreRightForEveryLength) {
  int n = 0;
  for (const int T : {1, 2, 63, 64, 65, 200, 1000})
    for (const Ways ways : kAllWays)
      for (const bool is_complex : {false, true})
        for (const bool late : {false, true})
          for (const int processors : {1, 132})
            if (fuzzes() || n++ % 5 == 0)
              judged({.T = T,
                      .N = 2,
                      .ways = ways,
                      .is_complex = is_complex,
                      .late = late,
                      .first = T % 2 == 1,
                      .shortcut = true,
                      .padding = T % 4 == 0,
                      .processors = processors});
}

TEST_F(ModesKernels, AreRightForEveryNumberOfModesAndChannels) {
  int n = 0;
  for (const int N : {1, 2, 3, 5, 7, 8, 9, 17})
    for (const int D : {1, 5, 33, 67})
      for (const Ways ways : kAllWays)
        for (const bool bfloat16 : {false, true})
          if (fuzzes() || n++ % 7 == 0)
            judged({.B = D > 5 ? 1 : 3,
                    .T = 150,
                    .D = D,
                    .N = N,
                    .ways = ways,
                    .is_complex = N % 2 == 0,
                    .late = D == 5,
                    .bfloat16 = bfloat16,
                    .first = true,
                    .shortcut = D > 5,
                    .padding = N % 3 == 0});
}

// One mode of whole tiles has kernels of its own.
TEST_F(ModesKernels, AreRightForOneModeOfWholeTiles) {
  int n = 0;
  for (const Ways ways : {Ways::kForward, Ways::kBack})
    for (const bool is_complex : {false, true})
      for (const bool bfloat16 : {false, true})
        for (const bool late : {false, true})
          for (const int processors : {1, 132})
            if (fuzzes() || n++ % 3 == 0)
              judged({.T = late ? kModesTile : 3 * kModesTile,
                      .D = bfloat16 ? 34 : 6,
                      .ways = ways,
                      .is_complex = is_complex,
                      .late = late,
                      .bfloat16 = bfloat16,
                      .first = processors > 1 || late,
                      .shortcut = is_complex,
                      .padding = bfloat16,
                      .processors = processors});
  judged({.T = 2 * kModesTile, .is_complex = true, .first = true});  // no pairs of channels
}

// More than a mode for each warp: in groups, and never carried along.
TEST_F(ModesKernels, AreRightForAsManyModesAsThereMayBe) {
  for (const Ways ways : {Ways::kForward, Ways::kBoth})
    judged({.B = 1,
            .T = 140,
            .D = 3,
            .N = ways == Ways::kBoth ? kModesMost / 2 : kModesMost,
            .ways = ways,
            .is_complex = true,
            .first = true});
}

TEST_F(ModesKernels, GiveTheSameInEveryOrder) {
  for (const Ways ways : {Ways::kForward, Ways::kBoth})
    judged({.T = 261, .D = 34, .N = 3, .ways = ways, .is_complex = true, .first = true}, 3);
  judged({.T = 3 * kModesTile, .D = 34, .is_complex = true, .first = true}, 3);
}

// A turn that is off by one part in a million per step would be a quarter of a radian at the end.
TEST_F(ModesKernels, KeepPhasesOfLongSequences) {
  for (const int T : {30000, 235 * kModesTile})  // the last of one mode's own kernels
    for (const int processors : {1, 132})        // carried along, split
      judged({.T = T,
              .D = 2,
              .is_complex = true,
              .first = true,
              .processors = processors,
              .decay = 1e-9});
}

// x once, or once more where time is split, y once, and the states of each tile.
TEST_F(ModesKernels, MoveNoMoreThanTheAlgorithm) {
  for (const Ways ways : {Ways::kForward, Ways::kBoth})
    for (const bool bfloat16 : {false, true})
      for (const auto& [N, is_complex] :
           {std::pair(1, false), std::pair(1, true), std::pair(2, true), std::pair(4, true)}) {
        const ModesShape shape{.B = 1,
                               .T = 1024,
                               .D = 64,
                               .N = N,
                               .ways = ways,
                               .is_complex = is_complex,
                               .bfloat16 = bfloat16};
        const double values = (is_complex ? 2.0 : 1.0) * N * 64 * (ways == Ways::kBoth ? 2 : 1);
        const double data = (bfloat16 ? 2.0 : 4.0) * 1024 * 64, modes = 16 * values,
                     states = 4 * values * modes_tiles(1024);
        for (const auto& [kernel, counts] : judged(shape).counts) {
          const bool carried = ways != Ways::kBoth;
          const double bytes =
              kernel.starts_with("modes_forward")    ? 2 * data + states + modes
              : kernel.starts_with("modes_backward") ? 3 * data + (carried ? 1 : 2) * states + modes
              : kernel.starts_with("modes_ends") || kernel.starts_with("modes_starts")
                  ? data + states + modes
                  : 0;
          if (bytes == 0) continue;
          const double moved =
              32.0 * static_cast<double>(counts.global_read.used + counts.global_write.used);
          EXPECT_LE(moved, 1.1 * bytes) << kernel << ", " << name_of(shape);
          EXPECT_LE(static_cast<double>(counts.shared.used),
                    1.1 * static_cast<double>(counts.shared.ideal))
              << kernel << ", " << name_of(shape);
          if (fuzzes())
            std::cout << kernel << ", " << name_of(shape) << ": " << moved / bytes
                      << " of the bytes, " << moved / data << " of x, " << counts.instructions
                      << " instructions\n";
        }
      }
}

TEST(ModesCalls, CarryOneDirectionInOnePassWhereChannelsAreEnough) {
  ModesWork work;
  work.modes.B = 16, work.modes.T = 4096, work.modes.D = 512, work.modes.count = 1;
  work.modes.directions[0].N = 1;
  const Allocate none = [](const char*, std::size_t) { return nullptr; };
  EXPECT_EQ(modes_forward_calls(work, none).size(), 1u);
  work.modes.B = 1;
  EXPECT_EQ(modes_forward_calls(work, none).size(), 3u);
  work.modes.T = kModesTile;
  EXPECT_EQ(modes_forward_calls(work, none).size(), 1u);
}

TEST(ModesCalls, RefuseWhatNoKernelComputes) {
  ModesWork work;
  work.modes.B = work.modes.T = work.modes.D = work.modes.count = 1;
  work.modes.directions[0].N = kModesMost + 1;
  EXPECT_THROW(modes_forward_calls(work, {}), std::invalid_argument);
  work.modes.directions[0].N = work.modes.directions[1].N = 1;
  work.modes.count = 2;
  EXPECT_THROW(modes_forward_calls(work, {}), std::invalid_argument);
}

TEST(ModesCalls, CompileAtRunTime) {
  if (!nvrtc_missing().empty()) GTEST_SKIP() << nvrtc_missing();
  ModesWork work;
  work.is_complex = work.bfloat16 = true;
  const NvrtcResult compiled = compile_cuda(modes_source(work));
  for (const char* name : {"modes_backward_complex_bfloat16", "modes_carry_complex"})
    EXPECT_NE(compiled.code.find(std::string(".entry ") + name), std::string::npos) << compiled.log;
}

// An A100 has 163 KiB of shared memory per block.
TEST(ModesCalls, FitSharedMemory) { EXPECT_LE(modes_bytes(kModesMost, 2, true), 163 * 1024); }

}  // namespace lcsm::test
