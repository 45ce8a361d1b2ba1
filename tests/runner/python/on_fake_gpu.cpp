// Python's operators on a fake GPU; replaces runner/python/torch_gpu.cpp.
#include "runner/python/gpu.h"
#include "tests/runner/python/fake_gpu.h"

namespace runner {

lcsm::GpuOrCpu gpu_of(const at::Device&) { return fake_gpu(); }

CurrentDevice::CurrentDevice(const at::Device&) {}
CurrentDevice::~CurrentDevice() {}

}  // namespace runner
