#include "lcsm/kernel/delta_calls.h"

#include <string>

#include "lcsm/kernel/tile_sums.h"

namespace lcsm {
namespace {

const char* type_of(const DeltaWork& work) { return work.bfloat16 ? "bfloat16" : "float32"; }

int size_of(const DeltaWork& work) {
  return chunk_size(work.delta.chunk, "the delta rule", "run it with run.device = \"cpu\"");
}
unsigned tiles_of(const DeltaWork& work, ChunkPass pass) {
  const int D = delta_channels(size_of(work), work.bfloat16, pass);
  return static_cast<unsigned>((work.delta.chunk.D + D - 1) / D);
}

// A block for each sequence and tile of channels: the rows of a system in time depend on all
// earlier ones.
KernelCall launch(const DeltaWork& work, ChunkPass pass, DeltaCuda delta) {
  delta.chunk.segment = delta.chunk.T;
  delta.chunk.first = work.first;
  KernelCall call = call_of((pass == ChunkPass::kForward ? "delta_forward_" : "delta_backward_") +
                                std::to_string(size_of(work)) + "_" + type_of(work),
                            {tiles_of(work, pass) * static_cast<unsigned>(delta.chunk.B), 1, 1},
                            {kChunkThreads, 1, 1}, delta);
  call.shared_bytes = static_cast<unsigned>(delta_bytes(size_of(work), work.bfloat16, pass));
  return call;
}

}  // namespace

std::vector<KernelCall> delta_forward_calls(const DeltaWork& work, const Allocate&) {
  DeltaCuda delta = work.delta;
  delta.chunk.enters = work.first != nullptr;
  delta.chunk.leaves = delta.chunk.last != nullptr;
  return {launch(work, ChunkPass::kForward, delta)};
}

std::vector<KernelCall> delta_backward_calls(const DeltaWork& work, const Allocate& allocate) {
  DeltaCuda delta = work.delta;
  ChunkCuda& c = delta.chunk;
  c.leaves = work.first != nullptr;
  TileSums sums(tiles_of(work, ChunkPass::kBackward), static_cast<long long>(c.B) * c.T,
                type_of(work), allocate);
  c.d_e = sums.of("d_u", work.d_u, c.K);
  c.d_s = sums.of("d_s", work.d_s, c.K);
  delta.d_v = sums.of("d_v", work.d_v, c.K);
  delta.d_log_a = sums.of("d_log_a", work.d_log_a, 1);
  std::vector<KernelCall> calls{launch(work, ChunkPass::kBackward, delta)};
  calls.insert(calls.end(), sums.calls().begin(), sums.calls().end());
  return calls;
}

CudaSource delta_source(const DeltaWork& work) {
  const std::string kind = std::to_string(size_of(work)) + "_" + type_of(work);
  return {.text =
              "#include \"lcsm/cuda/delta_cuda.cuh\"\n#include \"lcsm/cuda/scan_cuda.cuh\"\n"
              "LCSM_DELTA_KERNELS_" +
              kind + "()\nLCSM_SCAN_COMMON_KERNELS()\n",
          .name = "delta_" + kind + ".cu"};
}

}  // namespace lcsm
