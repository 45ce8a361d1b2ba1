// A GPU that is not there, for Python's operators: their tensors are in the host's memory, their
// kernels run through the judge.
#pragma once

#include "lcsm/cuda/driver/gpu_or_cpu.h"

// Tensors made before the first call are unknown to it.
lcsm::GpuOrCpu fake_gpu();

// For ctypes.
extern "C" {
void lcsm_fake_start();
int lcsm_fake_launches();
const char* lcsm_fake_findings();  // a line each; "": none
}
