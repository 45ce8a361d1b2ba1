// The kernels of the chunked recurrence through the judge, forward and backward, against the
// definition in float64. LCSM_FUZZ=1 tries every size with every decay, and prints figures.
#include "lcsm/cuda/chunk/chunk_calls.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <stdexcept>

#include "lcsm/cuda/chunk/walk_cuda.h"
#include "tests/lcsm/cuda/chunk/chunk_case.h"
#include "tests/lcsm/cuda/driver/expect_judged.h"

namespace lcsm::test {
namespace {

// Float32: rounding of sums, and of products of two parts each. Bfloat16: rounding of operands.
constexpr double kChunkCallsFloat = 1e-5, kChunkCallsBfloat = 2e-2;

class ChunkKernels : public testing::Test {
 protected:
  void SetUp() override {
    kernels_ = built_kernels("chunk");
    if (!kernels_) GTEST_SKIP() << "no CUDA toolkit when this was built";
  }
  Judged judged(const ChunkShape& shape, int orders = 1, const ptx::Options& options = {}) {
    return judged(shape, random_chunk(shape, 5), orders, options);
  }
  // Also with backward in one kernel if it can be.
  Judged judged(ChunkShape shape, const Named& inputs, int orders = 1,
                const ptx::Options& options = {}) {
    Judged got = by_judge(shape, inputs, *kernels_, orders, options);
    const Named right = by_definition(shape, inputs);
    const double most = shape.bfloat16 ? kChunkCallsBfloat : kChunkCallsFloat;
    expect_right(got, right, most, name_of(shape));
    if (can_fuse(shape) && shape.kernels == 2) {
      shape.kernels = 1;
      expect_right(by_judge(shape, inputs, *kernels_, orders, options), right, most,
                   name_of(shape));
    }
    return got;
  }
  // The bytes that a kernel moves with as many channels as rows: tensors [B, T, K] without and with
  // decays, stored memories, those in float32.
  struct Moved {
    const char* pass;
    double tensors, with_decays, kept, memories;
  };
  void expect_traffic(const ChunkShape& shape, const std::vector<Moved>& rows) {
    const double size = shape.bfloat16 ? 2 : 4, cells = shape.K * shape.K;
    std::size_t found = 0;
    for (const auto& [kernel, counts] : judged(shape).counts)
      for (const Moved& row : rows) {
        if (kernel.find(row.pass) == kernel.npos) continue;
        ++found;
        const double tensors = row.tensors + (shape.decays == Decays::kNone ? 0 : row.with_decays);
        const double bytes =
            size * (tensors * shape.T * shape.K + row.kept * cells) + 4 * row.memories * cells;
        const double moved =
            32.0 * static_cast<double>(counts.global_read.used + counts.global_write.used) / bytes;
        const double conflicts =
            static_cast<double>(counts.shared.used) / static_cast<double>(counts.shared.ideal);
        EXPECT_LE(moved, 1.3) << kernel << ", " << name_of(shape);
        EXPECT_TRUE(counts.shared.requests == 0 || conflicts <= 1.1)
            << kernel << ", " << name_of(shape) << ": " << conflicts;
        if (fuzzes())
          std::cout << kernel << ", " << name_of(shape) << ": " << moved << " of the bytes, "
                    << conflicts << " of the wavefronts, " << counts.instructions
                    << " instructions\n";
      }
    EXPECT_EQ(found, rows.size()) << name_of(shape);
  }
  // The walk's traffic. Another tile of channels reads s, e and their decays again; so does the
  // pass that checks whether decays over channels are in range.
  static std::vector<Moved> walked(const ChunkShape& shape, double starts) {
    const double more = (shape.K - 1) / 64, d = shape.decays == Decays::kRows ? 0 : 1;
    return {{"walk_forward", 4 + 2 * more, 1 + d + more, starts == 0 ? 1.0 : 3.0, 1 + starts},
            {"walk_reverse", 2 + more, 1 + d + more, starts == 0 ? 1.0 : 3.0, 1 + starts},
            {"walk_back", 7, 2 + 3 * d, starts == 0 ? 2.0 : 6.0, 0}};
  }
  static std::vector<Moved> fused() {
    return {{"walk_forward", 4, 1, 1.0, 1}, {"walk_fused", 7, 2, 1.0, 1}};
  }
  const Kernels* kernels_ = nullptr;
};

}  // namespace

TEST_F(ChunkKernels, AreRightForEveryLengthAndDecay) {
  const bool all = fuzzes();
  int n = 0;
  for (const int T : {1, 2, 63, 64, 65, 200})
    for (const Decays decays : kAllDecays)
      if (all || (T == 65 || n++ % 3 == 0))
        judged({.T = T, .K = 32, .D = 32, .decays = decays, .first = T % 2 == 1});
}

TEST_F(ChunkKernels, AreRightForLongAndForManySequences) {
  const bool all = fuzzes();
  for (const int B : {2, 8})
    for (const bool bfloat16 : {false, true})
      for (const Decays decays : kAllDecays)
        if (all || decays == (bfloat16 ? Decays::kOne : Decays::kBoth))
          judged({.B = B,
                  .T = all || B == 2 ? 1000 : 65,
                  .K = 16,
                  .D = 20,
                  .decays = decays,
                  .bfloat16 = bfloat16,
                  .first = true});
}

TEST_F(ChunkKernels, AreRightInEverySize) {
  const bool all = fuzzes();
  int n = 0;
  for (const bool bfloat16 : {false, true})
    for (const auto& [K, D] : {std::pair{64, 64}, {16, 16}, {17, 5}, {3, 33}, {65, 40}, {40, 65}})
      for (const Decays decays : kAllDecays)
        if (all || static_cast<int>(decays) == ++n / 6 % 5)
          judged({.B = 1,
                  .T = 70,
                  .K = K,
                  .D = D,
                  .decays = decays,
                  .bfloat16 = bfloat16,
                  .first = true});
  for (const bool bfloat16 : {false, true})
    judged({.B = 1,
            .T = 9,
            .K = 128,
            .D = all ? 128 : 64,
            .decays = Decays::kBoth,
            .bfloat16 = bfloat16});
}

// More than 64 rows or channels in bfloat16: a last tile has all of its channels or some, chunks
// take one pass or several, memories enter or not.
TEST_F(ChunkKernels, AreRightInSeveralTiles) {
  const bool all = fuzzes();
  for (const auto& [K, D] : {std::pair{128, 128}, {128, 70}, {101, 64}, {65, 40}, {120, 200}})
    for (const Decays decays : kAllDecays)
      for (const bool divided : {false, true}) {
        const bool some = decays == Decays::kOne || decays == Decays::kBoth;
        if (all || (D == 128 ? !divided : divided && some))
          judged({.B = 1,
                  .T = divided ? 34 : 70,
                  .K = K,
                  .D = D,
                  .decays = decays,
                  .strength = divided ? 2 : 0.1,
                  .bfloat16 = true,
                  .first = divided});
      }
}

TEST_F(ChunkKernels, AreRightWithOneDecayAndThoseOfChannels) {
  ChunkShape shape{
      .B = 1, .T = 34, .K = 17, .D = 20, .decays = Decays::kOneAndChannels, .first = true};
  shape.strength = 2;
  judged(shape);
  shape.K = 65, shape.bfloat16 = true;
  judged(shape);
  shape.strength = 0.1;
  judged(shape);
}

// Parts of wider rows, and rows that begin anywhere.
TEST_F(ChunkKernels, TakeInputsWithStrides) {
  for (const bool bfloat16 : {false, true})
    for (const int offset : {0, 1})
      judged({.B = 2,
              .T = 9,
              .K = offset ? 16 : 17,
              .D = offset ? 24 : 20,
              .decays = offset ? Decays::kOne : Decays::kBoth,
              .offset = offset,
              .padding = offset ? 8 : 7,
              .bfloat16 = bfloat16});
}

// Covers segments of one chunk, and of two.
TEST_F(ChunkKernels, SplitTimeAmongBlocks) {
  const bool all = fuzzes();
  for (const int processors : {100, 3})
    for (const bool bfloat16 : {false, true})
      for (const Decays decays : kAllDecays)
        for (const int K : {17, 40, 128})
          if (K == 17    ? all || (processors == 3) == bfloat16
              : K == 128 ? decays == Decays::kOne && (all || (bfloat16 && processors == 3))
                         : all && decays == Decays::kBoth)
            judged({.B = processors == 3 ? 1 : 2,
                    .T = 330,
                    .K = K,
                    .D = K == 128 ? 70 : 20,
                    .decays = decays,
                    .strength = decays == Decays::kBoth && !bfloat16 ? 1.0 : 0.1,
                    .processors = processors,
                    .bfloat16 = bfloat16,
                    .first = processors == 3});
}

// If no memory enters or leaves, nothing is computed from it.
TEST_F(ChunkKernels, AreRightWithoutMemories) {
  const bool all = fuzzes();
  for (const int T : {40, 64, 128, 300})
    for (const Decays decays : kAllDecays)
      if (all || (decays == Decays::kNone) == (T == 64))
        judged({.B = 1,
                .T = T,
                .K = 17,
                .D = 20,
                .decays = decays,
                .strength = T == 40 ? 5.0 : 0.1,
                .processors = 2,
                .last = false});
}

// Means of 1 to 100: from two chunks in 64 steps to one in each step, with gates that are 0.
TEST_F(ChunkKernels, DivideChunksWhereDecaysAreStrong) {
  const bool all = fuzzes();
  for (const double strength : {1.0, 10.0, 100.0})
    for (const Decays decays : {Decays::kRows, Decays::kChannels, Decays::kBoth})
      if (all || decays == Decays::kBoth || strength < 10)
        judged({.B = 1,
                .T = all || strength < 10 ? 70 : 20,
                .K = 17,
                .D = 20,
                .decays = decays,
                .strength = strength,
                .first = true});
  // Logarithms down to -infinity, of one decay for rows as wholes.
  judged({.B = 1,
          .T = 20,
          .K = 65,
          .D = 8,
          .decays = Decays::kOne,
          .strength = 1e38,
          .bfloat16 = true});
  // The anchor comes before the middle, and the chunk continues to the end.
  judged({.B = 1, .T = 20, .K = 8, .D = 8, .decays = Decays::kRows, .strength = 7, .strong = 10});
  judged(
      {.B = 1, .T = 40, .K = 8, .D = 8, .decays = Decays::kRows, .strength = 10, .bfloat16 = true});
}

// A chunk that takes one pass, and one that takes several.
TEST_F(ChunkKernels, GiveAClosedGateNoGradientOfRounding) {
  for (const bool bfloat16 : {false, true})
    for (const Decays decays : {Decays::kOne, Decays::kRows, Decays::kChannels}) {
      const ChunkShape shape{
          .B = 1, .T = 130, .K = 16, .D = 16, .decays = decays, .bfloat16 = bfloat16};
      const std::string log = decays == Decays::kChannels ? "log_d" : "log_k";
      Named inputs = random_chunk(shape, 5);
      const std::size_t width = inputs.at(log).size() / 130, closed[] = {5 * width, 70 * width};
      inputs.at(log)[closed[0]] = -17;
      inputs.at(log)[closed[1]] = -90;
      const Judged got = judged(shape, inputs);
      const Numbers& gradients = got.values.at("d " + log);
      for (const std::size_t at : closed) EXPECT_EQ(gradients[at], 0) << name_of(shape);
      EXPECT_NE(gradients[closed[0] + width], 0) << name_of(shape);
    }
}

// The gate of a row, a channel or the whole memory is 0 where a chunk begins, has its anchor, ends.
TEST_F(ChunkKernels, ForgetAtAnyStep) {
  for (const Decays decays : {Decays::kRows, Decays::kOne, Decays::kChannels})
    for (const int t : {0, 31, 32, 63, 64}) {
      const ChunkShape shape{
          .B = 1, .T = 130, .K = 32, .D = 64, .decays = decays, .bfloat16 = true, .first = true};
      Named inputs = random_chunk(shape, 5);
      Numbers& logs = inputs.at(decays == Decays::kChannels ? "log_d" : "log_k");
      logs[static_cast<std::size_t>(t) * logs.size() / static_cast<std::size_t>(shape.T)] =
          -INFINITY;
      SCOPED_TRACE(t);
      judged(shape, inputs);
    }
}

// No pass is in range then, and passes must still end.
TEST_F(ChunkKernels, EndWhereALogarithmIsNotANumber) {
  for (const int kernels : {1, 2}) {
    const ChunkShape shape{.B = 1,
                           .T = 70,
                           .K = 16,
                           .D = 16,
                           .decays = Decays::kRows,
                           .bfloat16 = true,
                           .kernels = kernels};
    Named inputs = random_chunk(shape, 5);
    inputs.at("log_k")[5 * 16 + 3] = NAN;
    const Judged got = by_judge(shape, inputs, *kernels_, 1);
    EXPECT_EQ(got.findings, "");
    EXPECT_TRUE(std::isnan(got.values.at("y").back()));
    EXPECT_TRUE(std::isnan(got.values.at("d e")[3]));  // of the first step, in its row
  }
}

// What walk_reverse keeps and walk_back reads, walk_fused has in the block.
TEST_F(ChunkKernels, GiveTheSameBitsFused) {
  for (const Decays decays : {Decays::kNone, Decays::kOne, Decays::kRows}) {
    ChunkShape shape{
        .B = 2, .T = 200, .K = 64, .D = 64, .decays = decays, .bfloat16 = true, .first = true};
    const Named inputs = random_chunk(shape, 5);
    const Judged apart = by_judge(shape, inputs, *kernels_, 1);
    shape.kernels = 1;
    const Judged fused = by_judge(shape, inputs, *kernels_, 1);
    EXPECT_EQ(apart.counts.size(), fused.counts.size() + 1);
    for (const auto& [name, values] : apart.values)
      EXPECT_EQ(values, fused.values.at(name)) << name_of(shape) << ", " << name;
  }
}

// Decays of some chunks take one pass, of others several.
TEST_F(ChunkKernels, CarryGradientsThroughChunksOfStrongDecays) {
  for (const Decays decays : {Decays::kOne, Decays::kRows})
    for (const int strong : {0, 64, 128}) {
      const ChunkShape shape{
          .B = 1, .T = 200, .K = 40, .D = 50, .decays = decays, .bfloat16 = true, .first = true};
      Named inputs = random_chunk(shape, 5);
      Numbers& logs = inputs.at("log_k");
      const std::size_t width = logs.size() / 200;
      for (std::size_t n = 0; n < 20 * width; ++n)
        logs[static_cast<std::size_t>(strong + 10) * width + n] = -8;
      SCOPED_TRACE(strong);
      judged(shape, inputs);
    }
}

TEST_F(ChunkKernels, GiveTheSameInEveryOrderWithApproximateFunctions) {
  judged({.B = 1, .T = 66, .K = 20, .D = 33, .decays = Decays::kBoth}, 3, {.ulps = 2});
}

// Each kernel reads its inputs once, and writes every result once.
TEST_F(ChunkKernels, MoveNoMoreThanTheAlgorithm) {
  for (const bool bfloat16 : {false, true})
    for (const int size : {64, 128})
      for (const Decays decays : {Decays::kNone, Decays::kRows, Decays::kBoth}) {
        if (!bfloat16 && decays == Decays::kRows) continue;
        const ChunkShape shape{
            .B = 1, .T = 128, .K = size, .D = size, .decays = decays, .bfloat16 = bfloat16};
        if (bfloat16) expect_traffic(shape, walked(shape, 0));
        if (can_fuse(shape)) {
          ChunkShape one = shape;
          one.kernels = 1;
          expect_traffic(one, fused());
        } else if (!bfloat16 && size == 64)  // there are several tiles of 128 channels
          expect_traffic(shape, {{"forward", 4, 2, 1, 1}, {"backward", 7, 5, 1, 1}});
      }
}

// Four segments of one chunk: the ends of three give the state before each. The carry reads the
// decays of channels again for each row.
TEST_F(ChunkKernels, MoveMemoriesOnceMoreWhereTimeIsSplit) {
  for (const bool bfloat16 : {false, true}) {
    const ChunkShape shape{.B = 1,
                           .T = 256,
                           .K = 64,
                           .D = 64,
                           .decays = Decays::kBoth,
                           .processors = 4,
                           .bfloat16 = bfloat16};
    std::vector<Moved> rows{{"ends", 1.5, 1.5, 0, 3}, {"carry", 0, 0, 0, 10}};
    const std::vector<Moved> passes =
        bfloat16 ? walked(shape, 4)
                 : std::vector<Moved>{{"forward", 4, 2, 3, 5}, {"backward", 7, 5, 3, 5}};
    rows.insert(rows.end(), passes.begin(), passes.end());
    expect_traffic(shape, rows);
  }
}

TEST(ChunkCalls, NameTheFusedScanForMoreRows) {
  ChunkWork work;
  work.chunk.B = work.chunk.T = work.chunk.D = 1, work.chunk.K = 129;
  EXPECT_THROW(chunk_forward_calls(work, {}), std::invalid_argument);
}

// An A100 gives a block 163 KiB of shared memory, GPUs for graphics 99.
TEST(ChunkCalls, FitSharedMemory) {
  constexpr int kMost = 163 * 1024, kGraphics = 99 * 1024;
  for (const int K : kChunkSizes)
    for (const bool decays_d : {false, true}) {
      for (const ChunkPass pass : {ChunkPass::kEnds, ChunkPass::kForward, ChunkPass::kBackward})
        for (const bool bfloat16 : {false, true})
          EXPECT_LE(chunk_bytes(K, bfloat16, pass, true, decays_d), kMost) << K;
      for (const WalkPart part :
           {WalkPart::kForward, WalkPart::kReverse, WalkPart::kRows, WalkPart::kStrong})
        for (const bool tiles : {false, true})
          EXPECT_LE(walk_bytes(K, part, true, decays_d, tiles), K <= 64 ? kGraphics : kMost) << K;
    }
  for (const int K : {32, 64})
    EXPECT_LE(walk_bytes(K, WalkPart::kFused, true, false, false), kGraphics) << K;
}

// The rule asks for four sequences per processor. A choice replaces the rule, but the kernel takes
// one tile of channels, up to 64 rows, no decays over channels and no segments of time.
TEST(ChunkCalls, FuseBackwardOfManySequences) {
  int data = 0;
  const auto fuses = [&](auto change) {
    ChunkWork work{.bfloat16 = true, .processors = 10};
    work.chunk.B = 40, work.chunk.T = 640, work.chunk.K = work.chunk.D = 64;
    work.chunk.log_k.data = &data;
    change(work);
    const Allocate none = [](const char*, std::size_t) { return nullptr; };
    const std::vector<KernelCall> calls = chunk_backward_calls(work, none);
    const auto is_fused = [](const KernelCall& call) {
      return call.kernel.starts_with("walk_fused_");
    };
    const bool fused = std::any_of(calls.begin(), calls.end(), is_fused);
    const std::string source = chunk_source(work).text;
    EXPECT_EQ(source.find("LCSM_WALK_FUSED(") != std::string::npos, fused);
    EXPECT_EQ(source.find("LCSM_WALK_REVERSE(") != std::string::npos, work.bfloat16 && !fused);
    return fused;
  };
  const auto choose = [](int kernels) {
    return [kernels](ChunkWork& w) { w.choices = w.choices.with(Choice::kWalkKernels, kernels); };
  };
  EXPECT_TRUE(fuses([](ChunkWork&) {}));
  EXPECT_TRUE(fuses([](ChunkWork& w) { w.chunk.log_k.data = nullptr; }));
  EXPECT_FALSE(fuses([](ChunkWork& w) { w.chunk.B = 39; }));
  EXPECT_FALSE(fuses(choose(2)));
  EXPECT_TRUE(fuses([&](ChunkWork& w) { w.chunk.B = 10, choose(1)(w); }));
  for (const auto& cannot : std::initializer_list<void (*)(ChunkWork&)>{
           [](ChunkWork& w) { w.bfloat16 = false; }, [](ChunkWork& w) { w.chunk.D = 65; },
           [](ChunkWork& w) { w.chunk.K = 65; }, [](ChunkWork& w) { w.chunk.B = 1; },
           [](ChunkWork& w) { w.chunk.log_d = w.chunk.log_k; }})
    EXPECT_FALSE(fuses([&](ChunkWork& w) { choose(1)(w), cannot(w); }));
}

}  // namespace lcsm::test
