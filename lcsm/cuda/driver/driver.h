// The functions of the NVIDIA driver that our host code calls, as one struct: found in libcuda at
// run time, replaced by others in tests.
#pragma once

#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>

namespace lcsm {

// Handles and results as in cuda.h, which not every host has.
using CudaHandle = void*;
using CudaAddress = unsigned long long;

struct CudaDriver {
  std::function<int(int code, const char** text)> error_text;
  std::function<int(int* value, int attribute, int device)> attribute;
  std::function<int(CudaHandle* context, int device)> retain_context;
  std::function<int(CudaHandle context)> use_context;  // in this thread

  std::function<int(CudaHandle* module, const void* image)> load_module;
  std::function<int(CudaHandle* function, CudaHandle module, const char* name)> find_function;
  std::function<int(CudaHandle function, int attribute, int value)> set_attribute;
  // `extra`: the arguments as bytes, with their number.
  std::function<int(CudaHandle function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                    unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                    CudaHandle stream, void** arguments, void** extra)>
      launch;

  std::function<int(void** memory, std::size_t bytes, unsigned flags)> allocate_host;
  std::function<int(void* memory)> free_host;
  std::function<int(CudaAddress to, CudaAddress from, std::size_t bytes, CudaHandle stream)> copy;

  std::function<int(CudaHandle stream)> finish;  // waits for all work
  std::function<int(CudaHandle* event, unsigned flags)> make_event;
  std::function<int(CudaHandle event)> free_event;
  std::function<int(CudaHandle event, CudaHandle stream)> record;
  std::function<int(CudaHandle stream, CudaHandle event, unsigned flags)> stream_waits;
  std::function<int(CudaHandle event)> host_waits;
};

// what(): which function, with which work, failed how.
struct CudaError : std::runtime_error {
  using std::runtime_error::runtime_error;
};
struct CudaOutOfMemory : CudaError {
  using CudaError::CudaError;
};

constexpr int kCudaMajorNeeded = 8;       // compute capability: products of bfloat16, cp.async
constexpr int kCudaMaxDynamicShared = 8;  // CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
constexpr unsigned kCudaEventWithoutTiming = 2;  // CU_EVENT_DISABLE_TIMING
constexpr int kCudaInvalidValue = 1;             // CUDA_ERROR_INVALID_VALUE
constexpr int kCudaOutOfMemory = 2;              // CUDA_ERROR_OUT_OF_MEMORY
// The keys of `extra` of a launch.
inline void* const kLaunchEnd = nullptr;
inline void* const kLaunchBuffer = reinterpret_cast<void*>(1);
inline void* const kLaunchBufferSize = reinterpret_cast<void*>(2);

// Throws CudaError if the library, or a function in it, is missing.
CudaDriver open_driver(const std::string& library = "libcuda.so.1");

// Throws CudaOutOfMemory or CudaError for a result that is not 0. `work`: "launch scan_forward".
void check_cuda(const CudaDriver& driver, int result, const std::string& work);

}  // namespace lcsm
