#include "runner/training/half_precision.h"

#include <ATen/autocast_mode.h>

namespace runner {

HalfPrecision::HalfPrecision(bool wanted) : wanted_(wanted) {
  if (!wanted_) return;
  at::autocast::set_autocast_enabled(at::kCPU, true);
  at::autocast::set_autocast_dtype(at::kCPU, at::kBFloat16);
  at::autocast::increment_nesting();
}

HalfPrecision::~HalfPrecision() {
  if (!wanted_) return;
  if (at::autocast::decrement_nesting() == 0) at::autocast::clear_cache();
  at::autocast::set_autocast_enabled(at::kCPU, false);
}

}  // namespace runner
