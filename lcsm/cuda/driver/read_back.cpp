#include "lcsm/cuda/driver/read_back.h"

#include <cstdint>
#include <utility>

namespace lcsm {
namespace {
CudaAddress address_of(const void* memory) { return reinterpret_cast<std::uintptr_t>(memory); }
}  // namespace

ReadBack::ReadBack(std::shared_ptr<const Gpu> gpu, std::size_t count)
    : gpu_(std::move(gpu)), bytes_(count * sizeof(double)) {
  const CudaDriver& driver = gpu_->driver();
  gpu_->check(driver.allocate_host(&numbers_, bytes_, 0), "allocate memory of the host");
  gpu_->check(driver.make_event(&event_, kCudaEventWithoutTiming), "make an event");
}

ReadBack::~ReadBack() {
  gpu_->driver().host_waits(event_);
  gpu_->driver().free_event(event_);
  gpu_->driver().free_host(numbers_);
}

void ReadBack::queue(const double* from) {
  const CudaDriver& driver = gpu_->driver();
  gpu_->check(driver.copy(address_of(numbers_), address_of(from), bytes_, gpu_->stream()),
              "read numbers back");
  gpu_->check(driver.record(event_, gpu_->stream()), "record an event");
}

const double* ReadBack::wait() {
  gpu_->check(gpu_->driver().host_waits(event_), "wait for numbers from the device");
  return static_cast<const double*>(numbers_);
}

}  // namespace lcsm
