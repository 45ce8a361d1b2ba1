// A chunked recurrence of random numbers, run by its kernels through the judge and by the
// definition in plain float64 loops.
#pragma once

#include <string>

#include "lcsm/cuda/chunk/chunk_calls.h"
#include "tests/lcsm/cuda/driver/judged_device.h"

namespace lcsm::test {

enum class Decays { kNone, kOne, kRows, kChannels, kBoth, kOneAndChannels };
constexpr Decays kAllDecays[] = {Decays::kNone, Decays::kOne, Decays::kRows, Decays::kChannels,
                                 Decays::kBoth};

struct ChunkShape {
  int B = 2, T = 1, K = 16, D = 16;
  Decays decays = Decays::kNone;
  double strength = 0.1;        // the mean of -log o over each axis
  int strong = kChunkRows;      // the number of first steps of each chunk that decay
  int processors = 1;           // few: time is not split
  int offset = 0, padding = 0;  // numbers before each input, and between its rows
  bool bfloat16 = false, first = false, last = true, backward = true;  // memories that enter, leave
  int kernels = 2;                                                     // Choice::kWalkKernels
};
std::string name_of(const ChunkShape& shape);
// True if walk_fused can compute its backward pass, where time is not split.
bool can_fuse(const ChunkShape& shape);

// "i", "e", "s", "d_y", "log_k", "log_d", "m" and "d_m" where the case has them.
Named random_chunk(const ChunkShape& shape, std::uint64_t seed);
// "y", "m", "d i", "d e", "d s", "d log_k", "d log_d", "d m".
Named by_definition(const ChunkShape& shape, const Named& inputs);
// Rows [B, T, width], `offset` numbers after the start of an array and with `padding` between rows;
// NaN in the gaps.
ChunkInputCuda put_rows(JudgedDevice& device, const std::string& name, const Numbers& rows, int T,
                        std::size_t width, int offset, int padding, bool bfloat16);
Judged by_judge(const ChunkShape& shape, const Named& inputs, const Kernels& kernels, int orders,
                const ptx::Options& options = {});

}  // namespace lcsm::test
