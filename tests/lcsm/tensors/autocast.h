#pragma once

#include <ATen/autocast_mode.h>

namespace lcsm::test {

// Autocast of a CPU to bfloat16 during its lifetime.
struct Autocast {
  Autocast() {
    at::autocast::set_autocast_enabled(at::kCPU, true);
    at::autocast::set_autocast_dtype(at::kCPU, at::kBFloat16);
    at::autocast::increment_nesting();
  }
  ~Autocast() {
    if (at::autocast::decrement_nesting() == 0) at::autocast::clear_cache();
    at::autocast::set_autocast_enabled(at::kCPU, false);
  }
};

}  // namespace lcsm::test
