// CRC-32 with zlib's polynomial: the same numbers as `zlib.crc32` of Python.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace results {

// `before`: the checksum of the bytes before these; 0 at the start.
std::uint32_t crc32(std::string_view bytes, std::uint32_t before = 0);

// Eight hex digits, lower case.
std::string crc_text(std::uint32_t crc);

}  // namespace results
