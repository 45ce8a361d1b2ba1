#include <ATen/cuda/CUDAGraph.h>

#include "lcsm/cuda/graphs.h"

struct LcsmGraphCuda {
  at::cuda::CUDAGraph graph;
};

namespace {

// Graphs share their memory: they are never replayed at the same time. What other threads call
// meanwhile is not a part of them.
void begin(LcsmGraphCuda* graph) {
  static const at::cuda::MempoolId_t shared = at::cuda::graph_pool_handle();
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
