#include "runner/random.h"

namespace runner {
namespace {

std::uint32_t low(std::uint64_t x) { return static_cast<std::uint32_t>(x); }
std::uint32_t high(std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); }

}  // namespace

std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> c,
                                    std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = std::uint64_t{0xD2511F53} * c[0], b = std::uint64_t{0xCD9E8D57} * c[2];
    c = {high(b) ^ c[1] ^ key[0], low(b), high(a) ^ c[3] ^ key[1], low(a)};
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
  return c;
}

RandomStream::RandomStream(std::uint64_t seed, Domain domain, std::uint64_t index)
    : counter_{0, static_cast<std::uint32_t>(domain), low(index), high(index)},
      key_{low(seed), high(seed)} {}

void RandomStream::refill() {
  numbers_ = philox(counter_, key_);
  ++counter_[0];
  used_ = 0;
}

std::uint64_t RandomStream::next64() {
  const std::uint64_t first = next32();
  return first | std::uint64_t{next32()} << 32;
}

// Lemire: the high half of a product, drawn again where the low half would favour some.
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
