// Chooses the launches of a formula over whole tensors. The host side, without a driver.
#pragma once

#include "lcsm/cuda/driver/kernel_call.h"
#include "lcsm/cuda/driver/nvrtc.h"
#include "lcsm/cuda/step/map_cuda.h"
#include "lcsm/tape/tape.h"

namespace lcsm {

// `map` as the tensors are; how cells are laid out is chosen here.
struct MapWork {
  const Tape* tape = nullptr;
  bool bfloat16_leaves = false, bfloat16_out = false;  // else float32
  bool sums = false;  // the gradient of a leaf over channels, or of a number, is wanted
  int processors = 1;
  MapCuda map = {};
};

// The sums that backward writes: `tiles` for each row, and for each block `columns`.
struct MapSums {
  long long blocks;
  int columns, tiles;
};
MapSums map_sums(const MapWork& work);

KernelCall map_forward_call(const MapWork& work);
KernelCall map_backward_call(const MapWork& work);

// The kernels' source for NVRTC.
CudaSource map_source(const MapWork& work);

}  // namespace lcsm
