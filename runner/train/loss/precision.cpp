#include "runner/train/loss/precision.h"

#include <ATen/autocast_mode.h>

#include "runner/config/keys/optim_keys.h"

namespace runner {

Precision precision_of(const RunConfig& config) {
  return config.is("optim.precision"_key, "bf16") ? Precision::kBFloat16 : Precision::kFloat32;
}

at::ScalarType product_type(Precision precision, at::ScalarType type) {
  return precision == Precision::kBFloat16 ? at::kBFloat16 : type;
}

Autocast::Autocast(Precision precision, at::DeviceType device)
    : active_(precision == Precision::kBFloat16), device_(device) {
  if (!active_) return;
  at::autocast::set_autocast_enabled(device_, true);
  at::autocast::set_autocast_dtype(device_, at::kBFloat16);
  at::autocast::increment_nesting();
}

Autocast::~Autocast() {
  if (!active_) return;
  if (at::autocast::decrement_nesting() == 0) at::autocast::clear_cache();
  at::autocast::set_autocast_enabled(device_, false);
}

}  // namespace runner
