// The interface between layer/open_gpu.cpp and graph_cuda.cpp: CUDA graphs by LibTorch, which keep
// the memory that is allocated in them.
#pragma once

struct LcsmGraphCuda;

// They throw what LibTorch throws.
struct LcsmGraphsCuda {
  LcsmGraphCuda* (*make)();
  void (*free)(LcsmGraphCuda* graph);
  // What is queued on the current stream, not the default one, between these goes into the graph.
  void (*begin)(LcsmGraphCuda* graph);
  void (*end)(LcsmGraphCuda* graph);
  void (*replay)(LcsmGraphCuda* graph);
};

extern "C" const LcsmGraphsCuda* lcsm_graphs_cuda();
