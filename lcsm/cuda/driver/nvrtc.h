// Compiles CUDA source to PTX or a binary at run time, with libnvrtc, which is opened then and
// needs no driver.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "lcsm/cuda/driver/kernel_headers.h"

namespace lcsm {

struct CudaSource {
  std::string text;
  std::string name;                            // its name in .loc and messages
  std::string architecture = "compute_80";     // "sm_90": a binary for it, not PTX
  bool lines = false;                          // -lineinfo
  std::span<const KernelHeader> headers = {};  // besides the headers of lcsm/cuda
};

struct NvrtcResult {
  std::string code, log;  // no code: the log tells why
};

// "" when libnvrtc was opened, else the reason.
std::string nvrtc_missing();

// The value of -arch for a GPU of this compute capability: "sm_90" makes a binary. For a GPU that
// is newer than the compiler it is the newest PTX, "compute_120", which the driver compiles.
std::string nvrtc_architecture(int major, int minor);

// The source may include its headers by their paths. Throws when there is no libnvrtc.
NvrtcResult compile_cuda(const CudaSource& source);

// The options and the version of the compiler, which with the source decide the code.
std::string nvrtc_identity(const CudaSource& source);

}  // namespace lcsm
