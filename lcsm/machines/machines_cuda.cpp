#include "lcsm/machines/machines_cuda.h"

#include <utility>

namespace lcsm {
namespace {

thread_local std::shared_ptr<Gpu> gpu_of_thread;

}  // namespace

ComputeOn::ComputeOn(std::shared_ptr<Gpu> gpu)
    : before_(std::exchange(gpu_of_thread, std::move(gpu))) {}
ComputeOn::~ComputeOn() { gpu_of_thread = before_; }

const std::shared_ptr<Gpu>& computing_gpu() { return gpu_of_thread; }

at::Tensor constant(const std::string& name, const std::function<at::Tensor()>& make) {
  return gpu_of_thread ? gpu_of_thread->once<at::Tensor>(name, make) : make();
}

}  // namespace lcsm
