// Random numbers by counting (lcsm/base/philox.h): a number is a function of its place, so nothing
// has to be saved or drawn in order.
#pragma once

#include <array>
#include <cstdint>

namespace runner {

// What the numbers are for. A format: another number draws other examples.
enum class Domain : std::uint32_t {
  kTrain = 1,
  kValid = 2,
  kTest = 3,
  kOrder = 4,
  kDropout = 5,  // with the call of a step in the higher 24 bits
};

// The numbers of one (seed, domain, index): 2^34 of them, independent of every other triple's.
class RandomStream {
 public:
  RandomStream(std::uint64_t seed, Domain domain, std::uint64_t index);

  std::uint32_t next32() {
    if (used_ == 4) refill();
    return numbers_[used_++];
  }
  std::uint64_t next64();

  // Each of 0 .. n-1 alike, without bias; n from 1.
  std::uint64_t below(std::uint64_t n);

 private:
  void refill();

  std::array<std::uint32_t, 4> counter_;
  std::array<std::uint32_t, 2> key_;
  std::array<std::uint32_t, 4> numbers_{};
  unsigned used_ = 4;
};

}  // namespace runner
