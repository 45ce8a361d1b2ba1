// SHA-256 (FIPS 180-4), for the names of runs and token caches; not for secrets. libcrypto has it,
// too, but is large.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace runner {

class Sha256 {
 public:
  void add(const void* data, std::size_t bytes);
  std::string hex();  // hash of everything added, 64 digits; must be the last call

 private:
  void block(const std::uint8_t* bytes);

  std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<std::uint8_t, 64> rest_{};
  std::uint64_t bytes_ = 0;
};

std::string sha256_hex(std::string_view text);

}  // namespace runner
