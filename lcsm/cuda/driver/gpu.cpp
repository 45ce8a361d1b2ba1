#include "lcsm/cuda/driver/gpu.h"

#include <algorithm>
#include <string>
#include <utility>

namespace lcsm {
namespace {
constexpr unsigned kMostBlocks = 65535;  // of a grid, along y and z: CUDA's limit

void expect_grid(const KernelCall& call) {
  const auto [x, y, z] = call.grid;
  if (y <= kMostBlocks && z <= kMostBlocks) return;
  throw CudaError("launch " + call.kernel + ": expected a grid of at most " +
                  std::to_string(kMostBlocks) + " blocks along y and z, got " + std::to_string(x) +
                  " x " + std::to_string(y) + " x " + std::to_string(z) +
                  "; choose a smaller batch or shorter sequences");
}
}  // namespace

Gpu::Gpu(CudaDriver driver, GpuFacts facts)
    : driver_(std::move(driver)), facts_(std::move(facts)), cache_(facts_.kernels) {
  check(driver_.retain_context(&context_, facts_.device), "open the device");
  check(driver_.use_context(context_), "use the device");
}

CudaHandle Gpu::function_of(const CudaSource& source, const std::string& what,
                            const KernelCall& call) {
  const std::lock_guard lock(mutex_);
  CudaHandle& module = modules_[source.text];
  if (module == nullptr) {
    CudaSource own = source;
    own.architecture = facts_.architecture;
    const std::string code = cache_.code(own, what);
    check(driver_.load_module(&module, code.c_str()), "load " + source.name);
  }
  Function& function = functions_[{module, call.kernel}];
  if (function.handle == nullptr)
    check(driver_.find_function(&function.handle, module, call.kernel.c_str()),
          "find " + call.kernel);
  // Without asking, a launch may use 48 KiB, the kernel's static memory included.
  if (call.shared_bytes > function.shared_bytes) {
    const int result = driver_.set_attribute(function.handle, kCudaMaxDynamicShared,
                                             static_cast<int>(call.shared_bytes));
    if (result == kCudaInvalidValue)
      throw CudaError(call.kernel + ": expected a GPU that gives a block " +
                      std::to_string(call.shared_bytes) +
                      " bytes of shared memory, got one with fewer; run it on the CPU");
    check(result, "ask for shared memory for " + call.kernel);
    function.shared_bytes = call.shared_bytes;
  }
  return function.handle;
}

void Gpu::run(const CudaSource& source, const std::string& what,
              const std::vector<KernelCall>& calls) {
  check(driver_.use_context(context_), "use the device");
  for (const KernelCall& call : calls) {
    expect_grid(call);
    if (std::ranges::find(call.grid, 0u) != call.grid.end()) continue;  // of an empty batch
    const CudaHandle function = function_of(source, what, call);
    std::size_t bytes = call.argument.size();
    void* extra[] = {kLaunchBuffer, const_cast<std::byte*>(call.argument.data()), kLaunchBufferSize,
                     &bytes, kLaunchEnd};
    check(driver_.launch(function, call.grid[0], call.grid[1], call.grid[2], call.block[0],
                         call.block[1], call.block[2], call.shared_bytes, stream(), nullptr, extra),
          "launch " + call.kernel);
  }
}

}  // namespace lcsm
