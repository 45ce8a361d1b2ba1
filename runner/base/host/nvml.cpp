#include <dlfcn.h>

#include "runner/base/host/resources.h"

namespace runner {
namespace {

// The declarations of nvml.h that are used here; NVML keeps its ABI stable.
using Device = struct NvmlDevice*;
struct Memory {
  unsigned long long total, free, used;
};
constexpr unsigned kTextSize = 96;  // NVML_DEVICE_NAME_V2_BUFFER_SIZE, the largest one needed

class Nvml {
 public:
  explicit Nvml(const std::string& library)
      : handle_(dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL)) {}
  ~Nvml() {
    if (handle_ != nullptr) dlclose(handle_);
  }
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;

  bool open() const { return handle_ != nullptr; }

  // NVML's return code; -1 if the library has no such function.
  template <class... Args>
  int call(const char* function, Args... args) const {
    auto* f = reinterpret_cast<int (*)(Args...)>(dlsym(handle_, function));
    return f == nullptr ? -1 : f(args...);
  }

  template <class... Args>
  std::string text(const char* function, Args... args) const {
    char buffer[kTextSize] = "";
    return call(function, args..., static_cast<char*>(buffer), kTextSize) == 0 ? buffer : "";
  }

  std::string error(int code) const {
    auto* f = reinterpret_cast<const char* (*)(int)>(dlsym(handle_, "nvmlErrorString"));
    return f == nullptr ? "NVML error " + std::to_string(code) : f(code);
  }

 private:
  void* handle_;
};

Gpu describe(const Nvml& nvml, Device device) {
  Gpu gpu;
  gpu.name = nvml.text("nvmlDeviceGetName", device);
  gpu.uuid = nvml.text("nvmlDeviceGetUUID", device);
  Memory memory{};
  if (nvml.call("nvmlDeviceGetMemoryInfo", device, &memory) == 0) {
    gpu.memory_total = memory.total;
    gpu.memory_free = memory.free;
  }
  return gpu;
}

}  // namespace

Gpus find_gpus(const std::string& library) {
  Gpus gpus;
  const Nvml nvml(library);
  if (!nvml.open()) {
    gpus.reason = "no NVIDIA driver (" + library + " not found)";
    return gpus;
  }
  if (const int code = nvml.call("nvmlInit_v2"); code != 0) {
    gpus.reason = "the NVIDIA driver does not respond: " + nvml.error(code);
    return gpus;
  }
  gpus.driver = nvml.text("nvmlSystemGetDriverVersion");
  unsigned count = 0;
  nvml.call("nvmlDeviceGetCount_v2", &count);
  for (unsigned i = 0; i < count; ++i) {
    Device device = nullptr;
    if (nvml.call("nvmlDeviceGetHandleByIndex_v2", i, &device) == 0)
      gpus.devices.push_back(describe(nvml, device));
  }
  if (gpus.devices.empty()) gpus.reason = "the NVIDIA driver reports no GPU";
  nvml.call("nvmlShutdown");
  return gpus;
}

}  // namespace runner
