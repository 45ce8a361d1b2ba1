// The type of a run's matrix products. Weights, sums and norms are always float32.
#pragma once

#include <c10/core/DeviceType.h>
#include <c10/core/ScalarType.h>

#include "runner/config/run/run_config.h"

namespace runner {

enum class Precision : std::uint8_t { kFloat32, kBFloat16 };
Precision precision_of(const RunConfig& config);

// The type for products of tensors of `type`, which is float64 in tests.
at::ScalarType product_type(Precision precision, at::ScalarType type);

// During its lifetime LibTorch computes the device's products in this precision.
class Autocast {
 public:
  explicit Autocast(Precision precision, at::DeviceType device = at::kCPU);
  ~Autocast();
  Autocast(const Autocast&) = delete;
  Autocast& operator=(const Autocast&) = delete;

 private:
  const bool active_;
  const at::DeviceType device_;
};

}  // namespace runner
