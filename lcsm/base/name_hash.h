// A short name for a text: 64-bit FNV-1a, as 16 hex digits. Not for untrusted texts.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lcsm {

inline std::string name_hash(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  std::string name(16, '0');
  for (std::size_t digit = 16; digit-- > 0; hash /= 16) name[digit] = "0123456789abcdef"[hash % 16];
  return name;
}

}  // namespace lcsm
