#include "results/files/checksum.h"

#include <array>

namespace results {
namespace {

// Row n: the effect of a byte on the checksum when n more bytes follow it.
using Tables = std::array<std::array<std::uint32_t, 256>, 8>;

constexpr Tables make_tables(std::uint32_t polynomial) {
  Tables tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t rest = byte;
    for (int bit = 0; bit < 8; ++bit) rest = (rest >> 1) ^ ((rest & 1) != 0 ? polynomial : 0U);
    tables[0][byte] = rest;
  }
  for (std::size_t row = 1; row < tables.size(); ++row)
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const std::uint32_t before = tables[row - 1][byte];
      tables[row][byte] = (before >> 8) ^ tables[0][before & 255];
    }
  return tables;
}

constexpr Tables kZlib = make_tables(0xEDB88320U);
constexpr Tables kCastagnoli = make_tables(0x82F63B78U);

// Eight bytes at a time.
std::uint32_t crc_of_eight(const Tables& tables, const unsigned char* b, std::uint32_t crc) {
  return tables[7][b[0] ^ (crc & 255)] ^ tables[6][b[1] ^ ((crc >> 8) & 255)] ^
         tables[5][b[2] ^ ((crc >> 16) & 255)] ^ tables[4][b[3] ^ (crc >> 24)] ^ tables[3][b[4]] ^
         tables[2][b[5]] ^ tables[1][b[6]] ^ tables[0][b[7]];
}

std::uint32_t crc_of(const Tables& tables, std::string_view bytes, std::uint32_t before) {
  std::uint32_t crc = ~before;
  const auto* at = reinterpret_cast<const unsigned char*>(bytes.data());
  std::size_t left = bytes.size();
  for (; left >= 8; left -= 8, at += 8) crc = crc_of_eight(tables, at, crc);
  for (; left > 0; --left, ++at) crc = (crc >> 8) ^ tables[0][(crc ^ *at) & 255];
  return ~crc;
}

}  // namespace

std::uint32_t crc32(std::string_view bytes, std::uint32_t before) {
  return crc_of(kZlib, bytes, before);
}

std::uint32_t crc32c(std::string_view bytes) { return crc_of(kCastagnoli, bytes, 0); }

std::string crc_text(std::uint32_t crc) {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string text(8, '0');
  for (int i = 7; i >= 0; --i, crc >>= 4) text[static_cast<std::size_t>(i)] = kDigits[crc & 15];
  return text;
}

}  // namespace results
