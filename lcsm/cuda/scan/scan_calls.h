// Chooses the launches of a scan: kernels, grids, arguments and memory. The host side, without a
// driver.
#pragma once

#include <cstddef>
#include <vector>

#include "lcsm/cuda/driver/choices.h"
#include "lcsm/cuda/driver/kernel_call.h"
#include "lcsm/cuda/scan/scan_cuda.h"
#include "lcsm/cuda/scan/scan_source.h"

namespace lcsm {

struct ScanWork {
  const Tape* tape = nullptr;
  ScanForm form;          // of channels where scans_channels
  bool bfloat16 = false;  // what is over data; all else is float32
  int processors = 132;   // of the device: time is split where tiles alone leave some idle
  Choices choices = {};
  // The caller sets sizes, inputs, `kept` and `memory`; the rest is filled in here.
  ScanCuda scan = {};
  const float* first =
      nullptr;        // [B, memory]: m before the first step, or the gradient of the last m
  void* y = nullptr;  // [B, T, D]
  // [B, T, D]; of e and s as they are; of leaves as they are, null = not wanted.
  void *d_i = nullptr, *d_e = nullptr, *d_s = nullptr;
  std::vector<void*> d_leaves;
};

// Shared memory of a tape's backward.
int scan_backward_bytes(const Tape& tape);

// The bytes of ScanCuda::kept.
std::size_t scan_kept_bytes(const ScanWork& work);

// The kernels of the gate, compiled with the choices of `work`.
CudaSource scan_source(const ScanWork& work);

// Calls to queue one after the other on one stream. scan_source has the source of their kernels.
std::vector<KernelCall> scan_forward_calls(const ScanWork& work, const Allocate& allocate);
std::vector<KernelCall> scan_backward_calls(const ScanWork& work, const Allocate& allocate);

}  // namespace lcsm
