// Random numbers that are equal on every platform: splitmix64, normals by Box-Muller.
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

// One stream per name, so that adding a tensor to a model leaves the others unchanged.
Random random_for(std::uint64_t seed, std::string_view name);

}  // namespace lcsm
