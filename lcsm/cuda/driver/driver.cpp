#include "lcsm/cuda/driver/driver.h"

#include <dlfcn.h>

namespace lcsm {
namespace {

template <class... Args>
void find(void* library, const char* name, std::function<int(Args...)>* function) {
  auto* const found = reinterpret_cast<int (*)(Args...)>(dlsym(library, name));
  if (found == nullptr)
    throw CudaError(std::string("the NVIDIA driver has no ") + name +
                    ": update it to 580 or newer, or run on the CPU");
  *function = found;
}

}  // namespace

CudaDriver open_driver(const std::string& library) {
  void* const handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr)
    throw CudaError("the NVIDIA driver (" + library +
                    ") was not found: install driver 580 or newer, or run on the CPU");
  CudaDriver driver;
  const auto fill = [&](const char* name, auto* function) { find(handle, name, function); };
  fill("cuGetErrorString", &driver.error_text);
  fill("cuDeviceGetAttribute", &driver.attribute);
  fill("cuDevicePrimaryCtxRetain", &driver.retain_context);
  fill("cuCtxSetCurrent", &driver.use_context);
  fill("cuModuleLoadData", &driver.load_module);
  fill("cuModuleGetFunction", &driver.find_function);
  fill("cuFuncSetAttribute", &driver.set_attribute);
  fill("cuLaunchKernel", &driver.launch);
  fill("cuMemHostAlloc", &driver.allocate_host);
  fill("cuMemFreeHost", &driver.free_host);
  fill("cuMemcpyAsync", &driver.copy);
  fill("cuStreamSynchronize", &driver.finish);
  fill("cuEventCreate", &driver.make_event);
  fill("cuEventDestroy_v2", &driver.free_event);
  fill("cuEventRecord", &driver.record);
  fill("cuStreamWaitEvent", &driver.stream_waits);
  fill("cuEventSynchronize", &driver.host_waits);
  return driver;
}

void check_cuda(const CudaDriver& driver, int result, const std::string& work) {
  if (result == 0) return;
  const char* text = nullptr;
  driver.error_text(result, &text);
  const std::string what =
      work + ": CUDA error " + std::to_string(result) + (text ? std::string(", ") + text : "");
  if (result == kCudaOutOfMemory) throw CudaOutOfMemory("the GPU is out of memory: " + what);
  throw CudaError(what);
}

}  // namespace lcsm
