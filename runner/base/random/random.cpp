#include "runner/base/random/random.h"

#include "lcsm/base/philox.h"

namespace runner {
namespace {

std::uint32_t low(std::uint64_t x) { return static_cast<std::uint32_t>(x); }
std::uint32_t high(std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); }

}  // namespace

RandomStream::RandomStream(std::uint64_t seed, std::uint32_t domain, std::uint64_t index)
    : counter_{0, domain, low(index), high(index)}, key_{low(seed), high(seed)} {}

void RandomStream::refill() {
  numbers_ = lcsm::philox(counter_, key_);
  ++counter_[0];
  used_ = 0;
}

std::uint64_t RandomStream::next64() {
  const std::uint64_t first = next32();
  return first | std::uint64_t{next32()} << 32;
}

// Lemire: the high half of a product, drawn again if the low half would introduce a bias.
std::uint64_t RandomStream::below(std::uint64_t n) {
  if (n <= 0xffffffff) {
    const auto n32 = static_cast<std::uint32_t>(n);
    std::uint64_t product = std::uint64_t{next32()} * n32;
    if (low(product) < n32)
      for (const std::uint32_t least = -n32 % n32; low(product) < least;)
        product = std::uint64_t{next32()} * n32;
    return high(product);
  }
  __extension__ using Wide = unsigned __int128;
  Wide product = Wide{next64()} * n;
  if (static_cast<std::uint64_t>(product) < n)
    for (const std::uint64_t least = -n % n; static_cast<std::uint64_t>(product) < least;)
      product = Wide{next64()} * n;
  return static_cast<std::uint64_t>(product >> 64);
}

}  // namespace runner
