#include "lcsm/cuda/step/cross_entropy_calls.h"

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace lcsm {
namespace {

// Eight vectors per thread, unless that needs more threads than there are.
unsigned threads_of(int V, int size) {
  return std::clamp(std::bit_ceil(static_cast<unsigned>(V * size / 16 / 8)), 128u, 1024u);
}

KernelCall rows_call(const CrossEntropyWork& work) {
  CrossEntropyCuda rows = work.rows;
  if (rows.stride == 0) rows.stride = rows.V;
  const int size = work.bfloat16 ? 2 : 4;
  const std::string type = work.bfloat16 ? "_bfloat16" : "_float32";
  const auto call = [&](const std::string& kernel, int at_once, unsigned threads, int shared) {
    const long long blocks = (rows.rows + at_once - 1) / at_once;
    KernelCall one = call_of("cross_entropy_" + kernel + type,
                             {static_cast<unsigned>(blocks), 1, 1}, {threads, 1, 1}, rows);
    one.shared_bytes = static_cast<unsigned>(shared);
    return one;
  };
  if (rows.V <= kCrossEntropyNarrow && rows.stride == rows.V && is_aligned(rows.logits, 16))
    return call("tile", cross_entropy_rows(rows.V, size), kCrossEntropyThreads,
                cross_entropy_tile_bytes(rows.V, size));
  const bool once = rows.V <= kCrossEntropyKept / size;
  return call(once ? "once" : "twice", 1, threads_of(rows.V, size), once ? rows.V * size : 0);
}

}  // namespace

std::vector<KernelCall> cross_entropy_calls(const CrossEntropyWork& work) {
  const CrossEntropyCuda& rows = work.rows;
  if (rows.V < 1)
    throw std::invalid_argument("cross-entropy on a GPU: expected at least one class, got " +
                                std::to_string(rows.V));
  std::vector<KernelCall> calls;
  if (rows.rows > 0) calls.push_back(rows_call(work));
  if (work.sums != nullptr)
    calls.push_back(call_of("cross_entropy_sum", {1, 1, 1}, {1024, 1, 1},
                            CrossEntropySumCuda{rows.rows, rows.targets, rows.loss, rows.right,
                                                work.sums, rows.scale, work.add}));
  return calls;
}

CudaSource cross_entropy_source() {
  return {
      .text = "#include \"lcsm/cuda/step/cross_entropy_cuda.cuh\"\nLCSM_CROSS_ENTROPY_KERNELS()\n",
      .name = "cross_entropy.cu"};
}

}  // namespace lcsm
