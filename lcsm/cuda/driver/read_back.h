// Copies a few numbers from the device without stopping it: the copy runs when the stream reaches
// it, and the host waits only when it wants them, while later work is already queued.
#pragma once

#include <cstddef>
#include <memory>

#include "lcsm/cuda/driver/gpu.h"

namespace lcsm {

class ReadBack {
 public:
  ReadBack(std::shared_ptr<const Gpu> gpu, std::size_t count);
  ~ReadBack();
  ReadBack(const ReadBack&) = delete;
  ReadBack& operator=(const ReadBack&) = delete;

  // `from`: the numbers on the device, as they are after the work queued so far.
  void queue(const double* from);
  const double* wait();  // returns the numbers queued last

 private:
  const std::shared_ptr<const Gpu> gpu_;
  const std::size_t bytes_;
  void* numbers_ = nullptr;
  CudaHandle event_ = nullptr;
};

}  // namespace lcsm
