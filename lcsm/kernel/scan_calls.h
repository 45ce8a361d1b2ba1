// Chooses the launches of a scan: kernels, grids, arguments and memory. The host side, without a
// driver.
#pragma once

#include <array>
#include <cstddef>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "lcsm/cuda/scan_cuda.h"
#include "lcsm/kernel/scan_source.h"

namespace lcsm {

// The number of parts of `size` in n, rounded up.
inline unsigned parts_of(long long n, int size) {
  return static_cast<unsigned>((n + size - 1) / size);
}

struct KernelCall {
  std::string kernel;
  std::array<unsigned, 3> grid{1, 1, 1}, block{1, 1, 1};
  unsigned shared_bytes = 0;  // dynamic
  std::vector<std::byte> argument;
};
template <class Argument>
KernelCall call_of(const std::string& kernel, std::array<unsigned, 3> grid,
                   std::array<unsigned, 3> block, const Argument& argument) {
  KernelCall call{kernel, grid, block, 0, std::vector<std::byte>(sizeof argument)};
  std::memcpy(call.argument.data(), &argument, sizeof argument);
  return call;
}

// Memory of the device that lives until the calls have run.
using Allocate = std::function<void*(const char* what, std::size_t bytes)>;

struct ScanWork {
  const Tape* tape = nullptr;
  ScanForm form;
  bool bfloat16 = false;  // what is over data; all else is float32
  int processors = 132;   // of the device: time is split where tiles alone leave some idle
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

// The numbers in ScanCuda::kept, for cells of `parts` parts.
std::size_t scan_kept_count(const ScanCuda& scan, std::size_t parts);

// Calls to queue one after the other on one stream. scan_source has the source of their kernels.
std::vector<KernelCall> scan_forward_calls(const ScanWork& work, const Allocate& allocate);
std::vector<KernelCall> scan_backward_calls(const ScanWork& work, const Allocate& allocate);

}  // namespace lcsm
