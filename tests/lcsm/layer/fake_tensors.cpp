#include "tests/lcsm/layer/fake_tensors.h"

#include <ATen/record_function.h>
#include <c10/core/CPUAllocator.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <new>
#include <string>

namespace lcsm::test {
namespace {

constexpr std::align_val_t kAlignment{64};
constexpr std::uint8_t kPriority = 255;  // an allocator of a lower one is ignored

std::atomic<FakeGpu*> living = nullptr;

void release(void* memory) {
  if (FakeGpu* const gpu = living) gpu->disown(memory);
  ::operator delete(memory, kAlignment);
}

class Owned : public c10::Allocator {
 public:
  c10::DataPtr allocate(std::size_t bytes) override {
    void* const memory = ::operator new(bytes, kAlignment);
    static_cast<FakeGpu*>(living)->own(memory, bytes, "a tensor of " + std::to_string(bytes));
    return {memory, memory, release, c10::kCPU};
  }
  c10::DeleterFnPtr raw_deleter() const override { return release; }
  void copy_data(void* to, const void* from, std::size_t bytes) const override {
    std::memcpy(to, from, bytes);
  }
};

// The host reads numbers or sizes that the device computes.
constexpr std::array kWaits = {"aten::_local_scalar_dense", "aten::equal", "aten::nonzero",
                               "aten::masked_select", "aten::_unique2"};
thread_local int inside_adam = 0;  // on a CPU it reads the rate, on a GPU it does not

std::unique_ptr<at::ObserverContext> see(const at::RecordFunction& function) {
  const std::string name = function.name();
  if (name.starts_with("aten::_fused_adam")) ++inside_adam;
  FakeGpu* const gpu = living;
  if (gpu != nullptr && gpu->in_graph() && inside_adam == 0 &&
      std::find(kWaits.begin(), kWaits.end(), name) != kWaits.end())
    gpu->finding("a graph waits for the device: " + name);
  return nullptr;
}
void leave(const at::RecordFunction& function, at::ObserverContext*) {
  if (std::string(function.name()).starts_with("aten::_fused_adam")) --inside_adam;
}

}  // namespace

FakeTensors::FakeTensors(FakeGpu* gpu)
    : before_(c10::GetCPUAllocator()),
      own_(std::make_unique<Owned>()),
      watch_(at::addGlobalCallback(
          at::RecordFunctionCallback(see, leave).scopes({at::RecordScope::FUNCTION}))) {
  living = gpu;
  c10::SetCPUAllocator(own_.get(), kPriority);
}

FakeTensors::~FakeTensors() {
  at::removeCallback(watch_);
  c10::SetCPUAllocator(before_, kPriority);
  living = nullptr;
}

}  // namespace lcsm::test
