// A few numbers from the device that do not stop it: copied when the stream gets there, waited for
// when they are wanted, while later work is queued already.
#pragma once

#include <cstddef>
#include <memory>

#include "lcsm/kernel/gpu.h"

namespace lcsm {

class ReadBack {
 public:
  ReadBack(std::shared_ptr<const Gpu> gpu, std::size_t count);
  ~ReadBack();
  ReadBack(const ReadBack&) = delete;
  ReadBack& operator=(const ReadBack&) = delete;

  // `from`: so many numbers on the device, as what is queued so far leaves them.
  void queue(const double* from);
  const double* wait();  // what was queued last

 private:
  const std::shared_ptr<const Gpu> gpu_;
  const std::size_t bytes_;
  void* numbers_ = nullptr;
  CudaHandle event_ = nullptr;
};

}  // namespace lcsm
