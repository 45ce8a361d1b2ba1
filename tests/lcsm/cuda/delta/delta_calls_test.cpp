// The kernels of the delta rule through the judge, forward and backward, against the definition in
// float64. LCSM_FUZZ=1 tries more shapes, and prints figures.
#include "lcsm/cuda/delta/delta_calls.h"

#include <gtest/gtest.h>

#include <iostream>
#include <stdexcept>

#include "tests/lcsm/cuda/delta/delta_case.h"
#include "tests/lcsm/cuda/driver/expect_judged.h"

namespace lcsm::test {
namespace {

// The tolerances of the chunked recurrence.
constexpr double kDeltaCallsFloat = 1e-5, kDeltaCallsBfloat = 2e-2;

class DeltaKernels : public testing::Test {
 protected:
  void SetUp() override {
    kernels_ = built_kernels("delta");
    if (!kernels_) GTEST_SKIP() << "no CUDA toolkit when this was built";
  }
  Judged judged(const DeltaShape& shape, int orders = 1, const ptx::Options& options = {}) {
    const Named inputs = random_delta(shape, 5);
    Judged got = by_judge(shape, inputs, *kernels_, orders, options);
    expect_right(got, by_definition(shape, inputs),
                 shape.bfloat16 ? kDeltaCallsBfloat : kDeltaCallsFloat, name_of(shape));
    return got;
  }
  const Kernels* kernels_ = nullptr;
};

}  // namespace

TEST_F(DeltaKernels, AreRightForEveryLength) {
  int n = 0;
  for (const int T : {1, 2, 63, 64, 65, 200})
    for (const bool decays : {false, true})
      for (const bool first : {false, true})
        if (fuzzes() || n++ % 3 == 0)
          judged({.B = 2, .T = T, .K = 16, .D = 16, .decays = decays, .first = first});
}

TEST_F(DeltaKernels, AreRightForLongSequences) {
  for (const bool bfloat16 : {false, true})
    for (const bool decays : {false, true})
      if (fuzzes() || bfloat16 == decays)
        judged({.T = 1000,
                .K = 16,
                .D = 20,
                .decays = decays,
                .strength = 0.02,
                .bfloat16 = bfloat16,
                .first = true});
}

TEST_F(DeltaKernels, AreRightInEverySize) {
  int n = 0;
  for (const auto& [K, D] : {std::pair{32, 32},
                             {64, 64},
                             {17, 5},
                             {3, 33},
                             {65, 40},
                             {40, 65},
                             {128, 16},
                             {16, 128},
                             {128, 128}})
    for (const bool bfloat16 : {false, true})
      for (const bool decays : {false, true})
        if (fuzzes() || (n++ % 2 == 0 && K * D < 128 * 128))
          judged({.T = K == 128 ? 67 : 70,
                  .K = K,
                  .D = D,
                  .decays = decays != bfloat16,
                  .bfloat16 = bfloat16,
                  .first = true});
}

// Parts of wider rows, and rows that begin anywhere.
TEST_F(DeltaKernels, TakeInputsWithStrides) {
  for (const bool bfloat16 : {false, true})
    for (const int offset : {0, 1})
      judged({.B = 2,
              .T = 9,
              .K = offset ? 16 : 17,
              .D = offset ? 24 : 20,
              .decays = true,
              .offset = offset,
              .padding = offset ? 8 : 7,
              .bfloat16 = bfloat16});
}

// Covers segments of one chunk and of two; as many tiles of channels as of rows, more, or fewer.
TEST_F(DeltaKernels, SplitTimeAmongBlocks) {
  struct Row {
    int K, D, processors;
    bool bfloat16;
  };
  for (const Row& row :
       {Row{17, 20, 3, false}, {17, 20, 100, true}, {40, 65, 6, true}, {65, 8, 5, true}})
    for (const bool bfloat16 : {false, true})
      if (fuzzes() || bfloat16 == row.bfloat16)
        judged({.B = row.processors == 100 ? 2 : 1,
                .T = 200,
                .K = row.K,
                .D = row.D,
                .decays = row.K < 65,
                .processors = row.processors,
                .bfloat16 = bfloat16,
                .first = row.processors < 100});
}

// If no memory enters or leaves, nothing is computed from it.
TEST_F(DeltaKernels, AreRightWithoutMemories) {
  for (const int T : {40, 64, 130})
    judged({.T = T, .K = 17, .D = 20, .decays = T != 64, .last = false});
  judged({.T = 200, .K = 17, .D = 20, .processors = 100, .last = false});
}

// The share that remains between two steps never exceeds 1.
TEST_F(DeltaKernels, AreRightWhereDecaysAreStrong) {
  for (const double strength : {1.0, 10.0, 100.0})
    judged({.T = 70, .K = 17, .D = 20, .decays = true, .strength = strength, .first = true});
}

TEST_F(DeltaKernels, GiveTheSameInEveryOrderWithApproximateFunctions) {
  judged({.T = 66, .K = 20, .D = 33, .decays = true}, 3, {.ulps = 2});
  judged({.T = 250, .K = 9, .D = 11, .decays = true, .processors = 100}, 3, {.ulps = 2});
}

// Each kernel reads its inputs once, and writes every result once: rows of a step, and memories.
TEST_F(DeltaKernels, MoveNoMoreThanTheAlgorithm) {
  struct Moved {
    const char* kernel;
    double rows, memories;
  };
  constexpr Moved kMoved[] = {
      {"delta_forward_64_float32", 6, 2},  {"delta_backward_64_float32", 9, 2},
      {"delta_systems_64_bfloat16", 5, 0}, {"delta_walk_64_bfloat16", 6, 3},
      {"delta_reverse_64_bfloat16", 6, 3}, {"delta_systems_back_64_bfloat16", 6, 0},
      {"delta_rows_64_bfloat16", 9, 2}};
  std::size_t found = 0;
  for (const bool bfloat16 : {false, true}) {
    const DeltaShape shape{.T = 128, .K = 64, .D = 64, .decays = bfloat16, .bfloat16 = bfloat16};
    const double size = bfloat16 ? 2 : 4, cells = 64 * 64;
    for (const auto& [kernel, counts] : judged(shape).counts)
      for (const Moved& row : kMoved) {
        if (row.kernel != kernel) continue;
        ++found;
        const double bytes = size * (row.rows * shape.T * 64 + row.memories * cells);
        const double moved =
            32.0 * static_cast<double>(counts.global_read.used + counts.global_write.used) / bytes;
        const double conflicts =
            static_cast<double>(counts.shared.used) / static_cast<double>(counts.shared.ideal);
        EXPECT_LE(moved, 1.1) << kernel;
        EXPECT_LE(conflicts, 1.1) << kernel;
        if (fuzzes())
          std::cout << kernel << ": " << moved << " of the bytes, " << conflicts
                    << " of the wavefronts, " << counts.instructions << " instructions\n";
      }
  }
  EXPECT_EQ(found, std::size(kMoved));
}

// A split more than doubles the work, so it must give several times the blocks.
TEST(DeltaCalls, SplitTimeOnlyWhereProcessorsAreIdle) {
  const auto launches = [](int B, int K, int D, ChunkPass pass) {
    DeltaWork work;
    ChunkCuda& c = work.delta.chunk;
    c.B = B, c.T = 4096, c.K = K, c.D = D;
    const Allocate none = [](auto&&...) { return nullptr; };
    return (pass == ChunkPass::kForward ? delta_forward_calls : delta_backward_calls)(work, none);
  };
  for (const ChunkPass pass : {ChunkPass::kForward, ChunkPass::kBackward}) {
    const std::vector<KernelCall> split = launches(8, 64, 64, pass);
    ASSERT_EQ(split.size(), 3u);
    EXPECT_EQ(split[0].grid, (std::array<unsigned, 3>{8, 15, 2}));
    EXPECT_EQ(split[2].grid, (std::array<unsigned, 3>{8, 16, 1}));
    EXPECT_EQ(launches(67, 64, 64, pass).size(), 1u);
  }
  EXPECT_EQ(launches(20, 128, 16, ChunkPass::kBackward).size(), 1u);  // 9 blocks for the ends of 1
}

TEST(DeltaCalls, SolveAllSystemsOfBfloat16AtOnce) {
  std::vector<std::string> kernels;
  const auto launch = [&](auto* calls) {
    DeltaWork work{.bfloat16 = true};
    ChunkCuda& c = work.delta.chunk;
    c.B = 3, c.T = 130, c.K = 60, c.D = 100;
    for (const KernelCall& call : calls(work, [](auto&&...) { return nullptr; }))
      kernels.push_back(call.kernel + " " + std::to_string(call.grid[0]) + " " +
                        std::to_string(call.grid[1]));
  };
  launch(delta_forward_calls);
  launch(delta_backward_calls);
  EXPECT_EQ(kernels, (std::vector<std::string>{
                         "delta_systems_64_bfloat16 3 3", "delta_walk_64_bfloat16 6 1",
                         "delta_systems_back_64_bfloat16 3 3", "delta_reverse_64_bfloat16 6 1",
                         "delta_rows_64_bfloat16 3 3"}));
}

TEST(DeltaCalls, RefuseMoreRows) {
  DeltaWork work;
  work.delta.chunk.B = work.delta.chunk.T = work.delta.chunk.D = 1, work.delta.chunk.K = 129;
  EXPECT_THROW(delta_forward_calls(work, {}), std::invalid_argument);
}

// An A100 has 163 KiB of shared memory per block.
TEST(DeltaCalls, FitSharedMemory) {
  for (const int K : kChunkSizes)
    for (const bool bfloat16 : {false, true})
      for (const ChunkPass pass : {ChunkPass::kForward, ChunkPass::kBackward})
        EXPECT_LE(delta_bytes(K, bfloat16, pass), 163 * 1024) << K;
  for (const int K : kChunkSizes)
    for (std::size_t part = 0; part < std::size(kDeltaParts); ++part)
      EXPECT_LE(delta_walk_bytes(K, static_cast<DeltaPart>(part)), 163 * 1024) << K;
}

}  // namespace lcsm::test
