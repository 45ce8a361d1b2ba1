// Random numbers that are the same on every platform: splitmix64, normal by Box and Muller.
#pragma once

#include <cstdint>
#include <string_view>

namespace lcsm {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  double uniform();  // [0, 1)
  double normal();   // N(0, 1)

 private:
  std::uint64_t state_;
};

// One stream for each name: a tensor added to a model leaves the others unchanged.
Random random_for(std::uint64_t seed, std::string_view name);

}  // namespace lcsm
