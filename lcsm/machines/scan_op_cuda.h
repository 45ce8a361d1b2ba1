// The fused scan as an operation on a GPU; cuda/scan/scan_calls.h says what it launches.
#pragma once

#include <memory>

#include "lcsm/cuda/driver/gpu.h"
#include "lcsm/machines/scan_op.h"

namespace lcsm {

// y, of the type of i, and the last m, float32, under autograd.
Tensors scan_machine_cuda(std::shared_ptr<Gpu> gpu, std::shared_ptr<const Tape> tape,
                          const ScanInputs& inputs);

// Like complex_scan_machine; the tape says how many parts there are.
Tensors complex_scan_machine_cuda(std::shared_ptr<Gpu> gpu, std::shared_ptr<const Tape> tape,
                                  const ScanInputs& inputs, const Tensors& exact_o);

}  // namespace lcsm
