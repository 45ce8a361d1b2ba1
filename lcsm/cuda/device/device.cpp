#include "lcsm/cuda/device/device.h"

#include <ATen/detail/CUDAHooksInterface.h>
#include <dlfcn.h>

#include <filesystem>
#include <stdexcept>

#include "lcsm/cuda/driver/driver.h"

namespace lcsm {
namespace {

constexpr int kDriverNeeded = 13000;  // LibTorch's wheel is built for CUDA 13.0

[[noreturn]] void missing(const std::string& what) {
  throw std::runtime_error("no CUDA device: " + what);
}

// ----- Driver: the few functions of libcuda.so.1 that describe the devices -----

struct Driver {
  explicit Driver(const std::string& name) : handle(dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    if (handle == nullptr)
      missing("the NVIDIA driver (" + name +
              ") was not found; install driver 580 or newer, or run on the CPU");
  }

  template <class... Args>
  int call(const char* function, Args... args) const {
    auto* f = reinterpret_cast<int (*)(Args...)>(dlsym(handle, function));
    if (f == nullptr) missing(std::string("the NVIDIA driver has no ") + function + "; update it");
    return f(args...);
  }

  std::string error(int code) const {
    const char* text = nullptr;
    call("cuGetErrorString", code, &text);
    return "CUDA error " + std::to_string(code) + (text ? std::string(", ") + text : "");
  }

  void* handle;
};

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

int checked_version(const Driver& driver) {
  int version = 0;
  driver.call("cuDriverGetVersion", &version);
  if (version < kDriverNeeded)
    missing("the NVIDIA driver supports CUDA " + version_text(version) + ", LibTorch needs " +
            version_text(kDriverNeeded) + "; update the driver to 580 or newer");
  return version;
}

CudaDevice describe(const Driver& driver, int index) {
  // CUdevice_attribute
  constexpr int kMultiprocessors = 16, kMajor = 75, kMinor = 76, kSharedOfBlock = 97;
  CudaDevice device;
  int handle = 0;
  char name[256] = "";
  std::size_t memory = 0;
  driver.call("cuDeviceGet", &handle, index);
  driver.call("cuDeviceGetName", static_cast<char*>(name), int{sizeof name}, handle);
  driver.call("cuDeviceTotalMem_v2", &memory, handle);
  driver.call("cuDeviceGetAttribute", &device.multiprocessors, kMultiprocessors, handle);
  driver.call("cuDeviceGetAttribute", &device.shared_bytes, kSharedOfBlock, handle);
  driver.call("cuDeviceGetAttribute", &device.major, kMajor, handle);
  driver.call("cuDeviceGetAttribute", &device.minor, kMinor, handle);
  device.name = name;
  device.memory = memory;
  return device;
}

std::vector<CudaDevice> list_devices(const Driver& driver) {
  constexpr int kNoDevice = 100;
  int count = 0;
  const int code = driver.call("cuInit", 0U);
  if (code == 0) driver.call("cuDeviceGetCount", &count);
  if (code == kNoDevice || (code == 0 && count == 0))
    missing("the driver reports no GPU; check nvidia-smi and CUDA_VISIBLE_DEVICES");
  if (code != 0) missing("the NVIDIA driver does not start (" + driver.error(code) + ")");
  std::vector<CudaDevice> devices;
  for (int i = 0; i < count; ++i) devices.push_back(describe(driver, i));
  return devices;
}

// ----- liblcsm_cuda.so and what it needs -----

// The wheel that contains a library of LibTorch's CUDA half, in the version of the pinned LibTorch.
std::string wheel_of(const std::string& error) {
  struct Row {
    const char *library, *wheel;
  };
  static constexpr Row kWheels[] = {
      {"libcusparseLt", "nvidia-cusparselt-cu13 0.8.0"},
      {"nvshmem", "nvidia-nvshmem-cu13 3.4.5"},
      {"libcufile", "nvidia-cufile 1.15.1.6"},
      {"libcudnn", "nvidia-cudnn-cu13 9.19"},
      {"libnccl", "nvidia-nccl-cu13 2.28.9"},
      {"libcupti", "nvidia-cuda-cupti 13.0"},
  };
  for (const Row& row : kWheels)
    if (error.starts_with(row.library) || error.find(std::string("/") + row.library) < error.size())
      return std::string("it is in the wheel ") + row.wheel;
  return "it is in the CUDA 13 toolkit";
}

// dlopen reports "libX.so.0: cannot open shared object file: No such file or directory".
[[noreturn]] void explain_load_failure(const std::string& library, const std::string& error) {
  const bool itself = error.starts_with(library + ":");
  if (itself)
    missing(library + " is neither next to the program nor where the loader looks; run " +
            "./bootstrap, or copy it from the build");
  if (error.find("cannot open shared object file") == std::string::npos)
    missing(library + " does not load (" + error + ")");
  const std::string needed = error.substr(0, error.find(':'));
  missing("LibTorch's CUDA half needs " + needed + ", which the loader cannot find; " +
          wheel_of(needed) + " (or set LCSM_LIBTORCH to the torch folder of a Python environment)");
}

void* open_library(const std::string& library) {
  const auto beside = std::filesystem::read_symlink("/proc/self/exe").parent_path() /
                      std::filesystem::path(library);
  const bool there = std::filesystem::exists(beside);
  void* handle = dlopen(there ? beside.c_str() : library.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (handle == nullptr) explain_load_failure(library, dlerror());
  return handle;
}

}  // namespace

CudaParts::CudaParts()
    : built(LCSM_CUDA_BUILT), library("liblcsm_cuda.so"), driver("libcuda.so.1") {}

void* Cuda::find(const char* name) const {
  void* function = dlsym(library_, name);
  if (function == nullptr)
    missing(std::string("liblcsm_cuda.so has no ") + name +
            ": it is from a different build than the program; run ./bootstrap");
  return function;
}

Cuda open_cuda(const CudaParts& parts) {
  if (parts.built.empty())
    missing(
        "this lcsm-train was built without CUDA; install the CUDA 13 toolkit and run "
        "./bootstrap, or run on the CPU");
  Cuda cuda;
  const Driver driver(parts.driver);
  cuda.driver_version_ = checked_version(driver);
  cuda.devices_ = list_devices(driver);
  if (const CudaDevice& first = cuda.devices_.front(); first.major < kCudaMajorNeeded)
    missing(first.name + " has compute capability " + std::to_string(first.major) + "." +
            std::to_string(first.minor) + ", the kernels need " + std::to_string(kCudaMajorNeeded) +
            ".0 or newer; run on the CPU, or choose another GPU by CUDA_VISIBLE_DEVICES");
  cuda.library_ = open_library(parts.library);
  if (!at::detail::getCUDAHooks().hasCUDA())
    missing(
        "LibTorch sees no GPU although the driver does; was it asked about CUDA before "
        "liblcsm_cuda.so was opened?");
  return cuda;
}

}  // namespace lcsm
