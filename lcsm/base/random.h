// Random numbers that are the same on every platform: splitmix64, normal by Box and Muller.
#pragma once

#include <cstdint>

namespace lcsm {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  double uniform();  // [0, 1)
  double normal();   // N(0, 1)

 private:
  std::uint64_t state_;
};

}  // namespace lcsm
