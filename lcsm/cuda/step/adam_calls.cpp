#include "lcsm/cuda/step/adam_calls.h"

#include <algorithm>
#include <cstdint>
#include <stdexcept>

namespace lcsm {
namespace {

constexpr int kOfBlock = 4 * kAdamThreads * kAdamVectors;

void check_aligned(const AdamCuda& adam) {
  const float* const all[] = {adam.values, adam.means, adam.squares, adam.gradients};
  for (const float* const memory : all)
    if (reinterpret_cast<std::uintptr_t>(memory) % 16 != 0)
      throw std::invalid_argument(
          "Adam on a GPU: expected numbers that begin at 16 bytes, got a part of other memory; "
          "copy it first");
}

void check_ranges(const AdamWork& work) {
  long long end = 0;
  for (const AdamRangeCuda& range : work.ranges) {
    if (range.end % 4 != 0 || range.end <= end)
      throw std::invalid_argument(
          "Adam on a GPU: expected ranges that end at a larger multiple of 4 each, got " +
          std::to_string(range.end) + " after " + std::to_string(end) + "; pad parameters with 0");
    end = range.end;
  }
  if (end != work.adam.count)
    throw std::invalid_argument("Adam on a GPU: expected ranges up to " +
                                std::to_string(work.adam.count) + ", got " + std::to_string(end));
}

}  // namespace

std::vector<KernelCall> adam_calls(const AdamWork& work, const Allocate& allocate) {
  check_aligned(work.adam);
  check_ranges(work);
  AdamCuda adam = work.adam;
  const auto call = [&](const char* kernel, unsigned blocks) {
    return call_of(kernel, {blocks, 1, 1}, {kAdamThreads, 1, 1}, adam);
  };
  const unsigned parts = std::clamp(parts_of(adam.count, kOfBlock), 1u, unsigned{kAdamMostParts});
  adam.parts = static_cast<int>(parts);
  adam.partial = static_cast<double*>(allocate("sums of squares", parts * sizeof(double)));
  adam.step = static_cast<AdamStepCuda*>(allocate("a step of Adam", sizeof(AdamStepCuda)));
  std::vector<KernelCall> calls{call("adam_norm", parts), call("adam_begin", 1)};
  for (std::size_t n = 0; n < work.ranges.size(); n += kAdamMostRanges) {
    const std::size_t count = std::min(work.ranges.size() - n, std::size_t{kAdamMostRanges});
    std::copy_n(work.ranges.begin() + static_cast<std::ptrdiff_t>(n), count, adam.ranges);
    adam.range_count = static_cast<int>(count);
    adam.begin = n == 0 ? 0 : work.ranges[n - 1].end;
    calls.push_back(
        call("adam_update", parts_of(adam.ranges[count - 1].end - adam.begin, kOfBlock)));
  }
  return calls;
}

CudaSource adam_source() {
  return {.text = "#include \"lcsm/cuda/step/adam_cuda.cuh\"\nLCSM_ADAM_KERNELS()\n",
          .name = "adam.cu"};
}

}  // namespace lcsm
