// A fake GPU for Python's operators: tensors are in host memory, kernels run through the judge.
#pragma once

#include "lcsm/cuda/driver/gpu_or_cpu.h"

// The judge does not know the memory of tensors made before the first call.
lcsm::GpuOrCpu fake_gpu();

// gpu_test.py calls these.
extern "C" {
void lcsm_fake_start();
int lcsm_fake_launches();
const char* lcsm_fake_findings();  // a line each; "": none
}
