// Parses the header of a safetensors file: 8 bytes of length (little-endian), then JSON
// {"name": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, ...}, then the data.
// Every claim in it is checked against the size of the file before it is used.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace lcsm {

struct SafeTensorsType {
  std::string_view name;
  std::uint64_t bytes;  // of one element
};

// The types that we read and write, widest first: data in this order is aligned without padding.
inline constexpr std::array<SafeTensorsType, 10> kSafeTensorsTypes = {{{"I64", 8},
                                                                       {"F64", 8},
                                                                       {"F32", 4},
                                                                       {"I32", 4},
                                                                       {"BF16", 2},
                                                                       {"F16", 2},
                                                                       {"I16", 2},
                                                                       {"I8", 1},
                                                                       {"U8", 1},
                                                                       {"BOOL", 1}}};

struct SafeTensorsEntry {
  std::string name;
  std::size_t type = 0;  // row of kSafeTensorsTypes
  std::vector<std::int64_t> shape;
  std::uint64_t begin = 0, end = 0;  // bytes from the start of the data
};

struct SafeTensorsHeader {
  std::vector<SafeTensorsEntry> entries;
  std::map<std::string, std::string> metadata;
};

inline constexpr std::uint64_t kSafeTensorsStart = 8;  // where the header starts

// The length of the header, from the first bytes of a file. All of these functions throw
// SafeTensorsError; `path` is only for its message.
std::uint64_t safetensors_header_length(const std::string& path, std::string_view first_bytes,
                                        std::uint64_t file_bytes);

// Entries in the order of their data, which they cover without gaps or overlaps.
SafeTensorsHeader parse_safetensors_header(const std::string& path, std::string_view json,
                                           std::uint64_t data_bytes);

// The length and the JSON, entries in the order given, padded with blanks to a multiple of 8.
std::string print_safetensors_header(const std::string& path, const SafeTensorsHeader& header);

// Makes a word from an untrusted file safe to print: short, quoted, without control characters.
std::string shown_word(std::string_view word);

[[noreturn]] void refuse_safetensors(const std::string& path, const std::string& expected,
                                     const std::string& got,
                                     const std::string& advice = "write it again");

}  // namespace lcsm
