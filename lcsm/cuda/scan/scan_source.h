// Writes the kernels of a gate's fused scan as CUDA source.
#pragma once

#include <string>

#include "lcsm/cuda/driver/nvrtc.h"
#include "lcsm/cuda/scan/scan_cuda.h"
#include "lcsm/tape/tape.h"

namespace lcsm {

// The kinds of e and s: a scan has kernels for each pair of them, and for each type.
struct ScanForm {
  StageKind e = StageKind::kData, s = StageKind::kData;
  bool channels = false;  // of one row, which has kernels of its own
};
// e is none where the tape of a real gate has it in w.
ScanForm scan_form(const Tape& tape, bool static_e, bool static_s);
// True if the form's kernels of channels can compute a memory of K rows.
bool scans_channels(const Tape& tape, int K);

// A C identifier for the gate and form; equal computations have equal names.
std::string scan_kernels_name(const Tape& tape, ScanForm form);
// A gate's kernels, for a source that includes lcsm/cuda/scan/scan_cuda.cuh first.
std::string scan_kernels_text(const Tape& tape, ScanForm form);
// A complete source for NVRTC.
CudaSource scan_source(const Tape& tape, ScanForm form);

}  // namespace lcsm
