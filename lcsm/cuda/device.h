// The GPU. Everything of CUDA lies in liblcsm_cuda.so, which is opened here when a device is asked
// for; a run on the CPU loads nothing of it. Opening it also loads LibTorch's own CUDA half, so it
// must come before the first question to LibTorch about CUDA.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lcsm {

struct CudaDevice {
  std::string name;
  int major = 0, minor = 0;  // compute capability
  int multiprocessors = 0;
  std::uint64_t memory = 0;  // bytes
};

// Where the parts are looked for; the defaults are the real ones, tests put others.
struct CudaParts {
  CudaParts();
  std::string built;    // architectures compiled, empty: built without CUDA
  std::string library;  // beside the program first, then where the loader looks
  std::string driver;
};

class Cuda {
 public:
  int driver_version() const { return driver_version_; }  // 13000 for 13.0
  const std::vector<CudaDevice>& devices() const { return devices_; }

  // What a *_cuda.cu exports as extern "C", by the declaration that both sides include:
  // cuda.function<decltype(lcsm_measure_cuda)>("lcsm_measure_cuda")
  template <class F>
  F* function(const char* name) const {
    return reinterpret_cast<F*>(find(name));
  }

 private:
  friend Cuda open_cuda(const CudaParts& parts);
  void* find(const char* name) const;

  void* library_ = nullptr;  // stays open until the process ends
  int driver_version_ = 0;
  std::vector<CudaDevice> devices_;
};

// Opens driver, library and LibTorch's CUDA half. Throws std::runtime_error with one sentence on
// the first thing that is missing and what to do about it. Calling it again is cheap.
Cuda open_cuda(const CudaParts& parts = {});

}  // namespace lcsm
