// Tensors in the memory of a GPU that is not there: LibTorch computes with them on the CPU, our
// kernels through the judge.
#pragma once

#include <c10/core/Allocator.h>

#include <cstdint>
#include <memory>

#include "tests/lcsm/cuda/driver/fake_gpu.h"

namespace lcsm::test {

// While it lives, tensors made on any thread are owned by the fake, each with its own bounds. An
// operation of LibTorch that a graph cannot capture without waiting for the device is a finding.
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
