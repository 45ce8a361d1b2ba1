#include <ATen/cuda/CUDAGraph.h>
#include <c10/cuda/CUDACachingAllocator.h>

#include "lcsm/cuda/device/graphs.h"

namespace {

int graphs_with_memory = 0;

}  // namespace

struct LcsmGraphCuda {
  at::cuda::CUDAGraph graph;
  bool has_memory = false;

  ~LcsmGraphCuda() { graphs_with_memory -= has_memory; }
};

namespace {

// Graphs share their memory: they are never replayed at the same time. The allocator gives a pool
// up with the last graph that uses it and refuses its handle from then on, so the next graph needs
// a new one. What other threads call meanwhile is not a part of them. Memory that was freed before
// serves no graph, and cannot be given back while one is captured: a step would need twice its own.
void begin(LcsmGraphCuda* graph) {
  c10::cuda::CUDACachingAllocator::emptyCache();
  static at::cuda::MempoolId_t shared;
  if (graphs_with_memory == 0) shared = at::cuda::graph_pool_handle();
  if (!graph->has_memory) ++graphs_with_memory;
  graph->has_memory = true;
  graph->graph.capture_begin(shared, cudaStreamCaptureModeThreadLocal);
}

constexpr LcsmGraphsCuda kFunctions = {
    .make = [] { return new LcsmGraphCuda; },
    .free = [](LcsmGraphCuda* graph) { delete graph; },
    .begin = begin,
    .end = [](LcsmGraphCuda* graph) { graph->graph.capture_end(); },
    .replay = [](LcsmGraphCuda* graph) { graph->graph.replay(); },
};

}  // namespace

extern "C" __attribute__((visibility("default"))) const LcsmGraphsCuda* lcsm_graphs_cuda() {
  return &kFunctions;
}
