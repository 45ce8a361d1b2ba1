// A GPU that runs our kernels: compiled once, loaded once, launched on LibTorch's current stream.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "lcsm/cuda/driver/choices.h"
#include "lcsm/cuda/driver/device_graph.h"
#include "lcsm/cuda/driver/driver.h"
#include "lcsm/cuda/driver/kernel_cache.h"
#include "lcsm/cuda/driver/kernel_call.h"
#include "lcsm/cuda/driver/nvrtc.h"

namespace lcsm {

struct GpuFacts {
  int device = 0;
  std::string architecture = "compute_80";  // as in CudaSource
  int processors = 1;
  Choices choices = {};
  std::function<CudaHandle()> stream;                   // on which LibTorch computes now
  std::function<std::unique_ptr<DeviceGraph>()> graph;  // an empty one, of LibTorch's
  std::filesystem::path kernels;                        // the folder of compiled ones
};

// Threads may share it.
class Gpu {
 public:
  Gpu(CudaDriver driver, GpuFacts facts);

  const CudaDriver& driver() const { return driver_; }
  const GpuFacts& facts() const { return facts_; }
  int processors() const { return facts_.processors; }
  const Choices& choices() const { return facts_.choices; }
  // Replaces the choices. Not while a recurrence, or its backward pass, is running or will follow.
  void choose(const Choices& choices) { facts_.choices = choices; }
  CudaHandle stream() const { return facts_.stream(); }
  std::unique_ptr<DeviceGraph> graph() const { return facts_.graph(); }
  void check(int result, const std::string& work) const { check_cuda(driver_, result, work); }

  // Queues the calls one after the other on the stream, those without blocks left out. Their
  // kernels are in `source`; `what` is for messages. Throws KernelError, CudaError.
  void run(const CudaSource& source, const std::string& what, const std::vector<KernelCall>& calls);

  // A value that is made once for this GPU and lives as long, such as a table in its memory.
  template <class T, class Make>
  const T& once(const std::string& name, const Make& make) {
    const std::lock_guard lock(once_mutex_);
    std::shared_ptr<void>& made = once_[name];
    if (!made) made = std::make_shared<T>(make());
    return *static_cast<const T*>(made.get());
  }

 private:
  struct Function {
    CudaHandle handle = nullptr;
    unsigned shared_bytes = 0;  // dynamic shared memory that launches have asked for
  };

  CudaHandle function_of(const CudaSource& source, const std::string& what, const KernelCall& call);

  const CudaDriver driver_;
  GpuFacts facts_;
  CudaHandle context_ = nullptr;
  std::mutex mutex_;
  KernelCache cache_;
  std::map<std::string, CudaHandle> modules_;  // by the text of their source
  std::map<std::pair<CudaHandle, std::string>, Function> functions_;
  std::mutex once_mutex_;
  std::map<std::string, std::shared_ptr<void>> once_;
};

}  // namespace lcsm
