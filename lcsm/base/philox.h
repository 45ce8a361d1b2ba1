// Counter-based random numbers: Philox4x32-10 (Salmon et al., SC 2011).
#pragma once

#include <array>
#include <cstdint>

namespace lcsm {

// 128 random bits, a function of the counter and the key.
inline std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> c,
                                           std::array<std::uint32_t, 2> key) {
  const auto high = [](std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); };
  const auto low = [](std::uint64_t x) { return static_cast<std::uint32_t>(x); };
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = std::uint64_t{0xD2511F53} * c[0], b = std::uint64_t{0xCD9E8D57} * c[2];
    c = {high(b) ^ c[1] ^ key[0], low(b), high(a) ^ c[3] ^ key[1], low(a)};
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
  return c;
}

}  // namespace lcsm
