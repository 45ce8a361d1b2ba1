#include "lcsm/layer/open_gpu.h"

#include <c10/core/Stream.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <exception>
#include <memory>
#include <string>

#include "lcsm/cuda/device/graphs.h"
#include "lcsm/cuda/driver/nvrtc.h"

namespace lcsm {
namespace {

class TorchGraph : public DeviceGraph {
 public:
  explicit TorchGraph(const LcsmGraphsCuda& by) : by_(by), graph_(by.make(), by.free) {}

  void capture(const std::function<void()>& work) override {
    by_.begin(graph_.get());
    try {
      work();
    } catch (...) {
      abandon();
      throw;
    }
    by_.end(graph_.get());
  }
  void replay() override { by_.replay(graph_.get()); }

 private:
  void abandon() {
    try {
      by_.end(graph_.get());
    } catch (const std::exception&) {  // a consequence of the first error
    }
  }

  const LcsmGraphsCuda& by_;
  const std::unique_ptr<LcsmGraphCuda, void (*)(LcsmGraphCuda*)> graph_;
};

// Graphs cannot be captured on the default stream.
void leave_the_default_stream(const c10::impl::VirtualGuardImpl& guard, c10::Device device) {
  if (guard.getStream(device) == guard.getDefaultStream(device))
    guard.exchangeStream(guard.getStreamFromGlobalPool(device));
}

}  // namespace

std::shared_ptr<Gpu> open_gpu(const Cuda& cuda, const std::filesystem::path& kernels) {
  if (const std::string missing = nvrtc_missing(); !missing.empty())
    throw CudaError("no kernels for the GPU: " + missing);
  const CudaDevice& device = cuda.devices().front();
  GpuFacts facts;
  facts.architecture = nvrtc_architecture(device.major, device.minor);
  facts.processors = device.multiprocessors;
  facts.choices = Choices(committed_choices(), facts.architecture);
  const c10::Device first(c10::kCUDA, 0);
  leave_the_default_stream(c10::impl::VirtualGuardImpl(c10::kCUDA), first);
  facts.stream = [first] {
    return c10::impl::VirtualGuardImpl(c10::kCUDA).getStream(first).native_handle();
  };
  const auto& graphs = *cuda.function<decltype(lcsm_graphs_cuda)>("lcsm_graphs_cuda")();
  facts.graph = [&graphs] { return std::make_unique<TorchGraph>(graphs); };
  facts.kernels = kernels;
  return std::make_shared<Gpu>(open_driver(), std::move(facts));
}

}  // namespace lcsm
