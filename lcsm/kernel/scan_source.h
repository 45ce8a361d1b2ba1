// The kernels of the fused scan for a gate, as CUDA source.
#pragma once

#include <string>

#include "lcsm/kernel/nvrtc.h"
#include "lcsm/tape/tape.h"

namespace lcsm {

// What the kernels of a scan are made for, beside their type.
struct ScanForm {
  bool static_e = false, static_s = false;
};

// Of the gate and form, a name of C: the same for the same computation.
std::string scan_kernels_name(const Tape& tape, ScanForm form);
// A gate's kernels, for a source that includes lcsm/cuda/scan_cuda.cuh first.
std::string scan_kernels_text(const Tape& tape, ScanForm form);
// The whole of such a source, for NVRTC.
CudaSource scan_source(const Tape& tape, ScanForm form);

}  // namespace lcsm
