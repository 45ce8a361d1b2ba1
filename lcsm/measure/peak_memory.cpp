#include "lcsm/measure/peak_memory.h"

#include <c10/core/Allocator.h>

#include <algorithm>
#include <mutex>
#include <stdexcept>
#include <unordered_map>

namespace lcsm {
namespace {

// Wraps the current allocator. Blocks may outlive the counting and are still freed through here, so
// there is one instance, never destroyed.
class Counter final : public c10::Allocator {
 public:
  static Counter& instance() {
    static Counter* const counter = new Counter;
    return *counter;
  }

  void begin() {
    c10::Allocator* const current = c10::GetAllocator(c10::DeviceType::CPU);
    if (current == this) throw std::logic_error("PeakMemory: another instance is counting");
    if (current->raw_deleter() == nullptr)
      throw std::logic_error(
          "PeakMemory: the allocator's blocks cannot be identified by their address");
    const std::lock_guard lock(mutex_);
    wrapped_ = current;
    free_wrapped_ = current->raw_deleter();
    sizes_.clear();
    bytes_ = peak_ = 0;
    c10::SetAllocator(c10::DeviceType::CPU, this, kPriority);
  }

  void end() { c10::SetAllocator(c10::DeviceType::CPU, wrapped_, kPriority); }

  std::int64_t bytes() const {
    const std::lock_guard lock(mutex_);
    return bytes_;
  }
  std::int64_t peak() const {
    const std::lock_guard lock(mutex_);
    return peak_;
  }

  c10::DataPtr allocate(std::size_t size) override {
    c10::DataPtr block = wrapped_->allocate(size);
    void* const address = block.release_context();
    const std::lock_guard lock(mutex_);
    if (address != nullptr) {
      sizes_[address] = static_cast<std::int64_t>(size);
      bytes_ += static_cast<std::int64_t>(size);
      peak_ = std::max(peak_, bytes_);
    }
    return {address, address, &Counter::free, c10::DeviceType::CPU};
  }

  c10::DeleterFnPtr raw_deleter() const override { return &Counter::free; }
  void copy_data(void* to, const void* from, std::size_t size) const override {
    default_copy_data(to, from, size);
  }

 private:
  static constexpr std::uint8_t kPriority = 255;  // SetAllocator ignores lower ones

  static void free(void* address) {
    Counter& counter = instance();
    {
      const std::lock_guard lock(counter.mutex_);
      if (const auto found = counter.sizes_.find(address); found != counter.sizes_.end()) {
        counter.bytes_ -= found->second;
        counter.sizes_.erase(found);
      }
    }
    counter.free_wrapped_(address);
  }

  mutable std::mutex mutex_;
  c10::Allocator* wrapped_ = nullptr;
  c10::DeleterFnPtr free_wrapped_ = nullptr;
  std::unordered_map<void*, std::int64_t> sizes_;  // of the blocks that are counted
  std::int64_t bytes_ = 0, peak_ = 0;
};

}  // namespace

PeakMemory::PeakMemory() { Counter::instance().begin(); }
PeakMemory::~PeakMemory() { Counter::instance().end(); }
std::int64_t PeakMemory::bytes() const { return Counter::instance().bytes(); }
std::int64_t PeakMemory::peak() const { return Counter::instance().peak(); }

}  // namespace lcsm
