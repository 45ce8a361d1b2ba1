#include "tests/lcsm/layer/fake_tensors.h"

#include <c10/core/CPUAllocator.h>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <new>

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

}  // namespace

FakeTensors::FakeTensors(FakeGpu* gpu)
    : before_(c10::GetCPUAllocator()), own_(std::make_unique<Owned>()) {
  living = gpu;
  c10::SetCPUAllocator(own_.get(), kPriority);
}

FakeTensors::~FakeTensors() {
  c10::SetCPUAllocator(before_, kPriority);
  living = nullptr;
}

}  // namespace lcsm::test
