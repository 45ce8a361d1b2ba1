// Tensors in the memory of a fake GPU: LibTorch computes with them on the CPU, our kernels through
// the judge.
#pragma once

#include <c10/core/Allocator.h>

#include <cstdint>
#include <memory>

#include "tests/lcsm/cuda/driver/fake_gpu.h"

namespace lcsm::test {

// During its lifetime, the fake owns the tensors made on any thread, each with its own bounds. A
// LibTorch operation that would wait for the device during graph capture is a finding.
class FakeTensors {
 public:
  explicit FakeTensors(FakeGpu* gpu);
  ~FakeTensors();
  FakeTensors(const FakeTensors&) = delete;

 private:
  c10::Allocator* const before_;
  const std::unique_ptr<c10::Allocator> own_;
  const std::uint64_t watch_;
};

}  // namespace lcsm::test
