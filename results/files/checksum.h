// CRC-32: with zlib's polynomial, equal to Python's `zlib.crc32`, for our own files; with
// Castagnoli's for TFRecord files.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace results {

// `before`: the checksum of the bytes before these; 0 at the start.
std::uint32_t crc32(std::string_view bytes, std::uint32_t before = 0);
std::uint32_t crc32c(std::string_view bytes);

// Eight hex digits, lower case.
std::string crc_text(std::uint32_t crc);

}  // namespace results
