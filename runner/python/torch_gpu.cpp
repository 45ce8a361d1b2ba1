#include <dlfcn.h>

#include <filesystem>
#include <map>
#include <mutex>
#include <stdexcept>

#include "lcsm/cuda/driver/gpu.h"
#include "lcsm/files/user_cache.h"
#include "runner/python/gpu.h"

namespace runner {
namespace {

constexpr int kProcessors = 16, kMajor = 75, kMinor = 76;  // CUdevice_attribute

using StreamOf = AOTITorchError (*)(std::int32_t device, void** stream);

// The stable ABI's function in LibTorch's half for CUDA, which our library is not linked with.
StreamOf open_torch() {
  void* const torch = dlopen("libtorch_cuda.so", RTLD_NOW | RTLD_NOLOAD);
  void* const stream_of = torch ? dlsym(torch, "aoti_torch_get_current_cuda_stream") : nullptr;
  Dl_info found = {};
  if (stream_of == nullptr || dladdr(stream_of, &found) == 0)
    throw lcsm::CudaError(
        "lcsm: expected a torch for NVIDIA GPUs, got one without libtorch_cuda.so: install such a "
        "torch, or call the definition (definition=True)");
  // It loads NVRTC, which LibTorch finds in its own folders.
  const auto folder = std::filesystem::path(found.dli_fname).parent_path();
  dlopen((folder / "libcaffe2_nvrtc.so").c_str(), RTLD_NOW | RTLD_LOCAL);
  return reinterpret_cast<StreamOf>(stream_of);
}

lcsm::GpuOrCpu open(int device) {
  static const StreamOf stream_of = open_torch();
  if (const std::string missing = lcsm::nvrtc_missing(); !missing.empty())
    throw lcsm::CudaError("lcsm: no kernels for the GPU: " + missing);
  const lcsm::CudaDriver driver = lcsm::open_driver();
  const auto attribute = [&](int which) {
    int value = 0;
    lcsm::check_cuda(driver, driver.attribute(&value, which, device), "describe the device");
    return value;
  };
  const int major = attribute(kMajor), minor = attribute(kMinor);
  if (major < lcsm::kCudaMajorNeeded)
    throw lcsm::CudaError("lcsm: expected a GPU of compute capability " +
                          std::to_string(lcsm::kCudaMajorNeeded) + ".0 or newer, got " +
                          std::to_string(major) + "." + std::to_string(minor) +
                          ": compute on the CPU, or call the definition (definition=True)");
  lcsm::GpuFacts facts;
  facts.device = device;
  facts.architecture = lcsm::nvrtc_architecture(major, minor);
  facts.processors = attribute(kProcessors);
  facts.choices = lcsm::Choices(lcsm::committed_choices(), facts.architecture);
  facts.stream = [device] {
    void* stream = nullptr;
    TORCH_ERROR_CODE_CHECK(stream_of(device, &stream));
    return stream;
  };
  if (const std::filesystem::path cache = lcsm::user_cache(); !cache.empty())
    facts.kernels = cache / "kernels";
  return std::make_shared<lcsm::Gpu>(driver, std::move(facts));
}

}  // namespace

lcsm::GpuOrCpu gpu_of(const at::Device& device) {
  if (device.type() == aoti_torch_device_type_cpu()) return nullptr;
  if (device.type() != aoti_torch_device_type_cuda())
    throw std::invalid_argument("lcsm: expected tensors on a CPU or an NVIDIA GPU, got " +
                                device.str() +
                                ": move them there, or call the definition (definition=True)");
  static std::mutex mutex;
  // Never destroyed: at exit the driver may be unloaded first.
  static auto& opened = *new std::map<int, lcsm::GpuOrCpu>;
  const std::lock_guard lock(mutex);
  lcsm::GpuOrCpu& gpu = opened[device.index()];
  if (!gpu) gpu = open(device.index());
  return gpu;
}

CurrentDevice::CurrentDevice(const at::Device& device) {
  if (device.type() == aoti_torch_device_type_cuda())
    TORCH_ERROR_CODE_CHECK(aoti_torch_create_device_guard(device.index(), &guard_));
}
CurrentDevice::~CurrentDevice() {
  if (guard_ != nullptr) aoti_torch_delete_device_guard(guard_);
}

}  // namespace runner
