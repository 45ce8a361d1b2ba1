// The GPU. All CUDA code is in liblcsm_cuda.so, which is opened here when a run requests a device;
// a run on the CPU loads none of it. Opening it also loads LibTorch's CUDA half, so it must happen
// before LibTorch is asked anything about CUDA.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lcsm {

struct CudaDevice {
  std::string name;
  int major = 0, minor = 0;  // compute capability
  int multiprocessors = 0;
  int shared_bytes = 0;      // shared memory that a block may have
  std::uint64_t memory = 0;  // bytes
};

// Where the parts are found; tests replace the defaults.
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

// Opens driver, library and LibTorch's CUDA half. Throws std::runtime_error with one sentence that
// names the first missing part and what to do about it. Calling it again is cheap.
Cuda open_cuda(const CudaParts& parts = {});

}  // namespace lcsm
