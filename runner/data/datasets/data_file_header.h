// The layout of a data file: the examples of one split, mapped into memory and accessed at random.
// All numbers are little-endian. The parts in order, without other gaps than the ones listed:
//
//   header    128 bytes
//   recipe    one line of JSON: what made the file; zeros up to a multiple of 64
//   data      sequence after sequence, step after step; zeros up to a multiple of 8
//   ends      8 bytes for each sequence, the step after its last; none if all have one length
//   labels    2 bytes for each example, zeros up to a multiple of 8; or targets, 4 bytes each
//   sums      4 bytes for each block of the data: its CRC-32
//   index sum 4 bytes: CRC-32 of ends, labels and sums
#pragma once

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace runner {

// what() says in a sentence: file, byte, expected, found, what to do.
struct DataFileError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A format: the number is in files.
enum class Element : std::uint32_t { kByte = 1, kShort = 2, kReal = 3 };

constexpr std::uint64_t bytes_of(Element element) {
  return element == Element::kByte ? 1 : element == Element::kShort ? 2 : 4;
}

// The smallest element for integers below `vocabulary`.
constexpr Element element_for(std::size_t vocabulary) {
  return vocabulary <= 256 ? Element::kByte : Element::kShort;
}

// Properties that all examples of a file share.
struct DataShape {
  Element element = Element::kByte;
  std::uint32_t channels = 1;    // values of a step
  std::uint32_t vocabulary = 0;  // integer values are smaller; 0 for real values
  std::uint32_t classes = 0;     // labels are smaller; 0: an example has real targets instead
  std::uint32_t targets = 0;     // number of real targets
  std::uint32_t length = 0;      // steps of every sequence; 0: each has its own
  std::uint32_t rows = 0, columns = 0;  // of a picture, whose pixels are the steps; 0: no picture
  std::uint32_t sequences = 1;          // of an example: 1, or 2 documents to compare

  std::uint64_t step_bytes() const { return channels * bytes_of(element); }
  bool operator==(const DataShape&) const = default;
};

struct DataHeader {
  std::array<char, 8> magic = {'l', 'c', 's', 'm', 's', 'e', 't', '1'};  // the version is last
  DataShape shape;
  std::uint32_t recipe_bytes = 0;
  std::uint64_t examples = 0;
  std::uint64_t steps = 0;       // of all sequences
  std::uint64_t file_bytes = 0;  // of the whole file
  std::array<std::uint32_t, 13> none{};
  std::uint32_t sum = 0;  // CRC-32 of the header before it, and of the recipe
};
static_assert(sizeof(DataHeader) == 128);

inline constexpr std::uint64_t kDataBlock = std::uint64_t{1} << 20;  // bytes per checksum

// Limit on the bytes of a recipe, which holds the names of all tokens and labels: about a thousand
// bytes for each of 65 536 tokens.
inline constexpr std::uint64_t kMostRecipe = std::uint64_t{1} << 26;

// The offsets of a file's parts, computed from its header alone.
struct DataLayout {
  std::uint64_t data = 0, ends = 0, labels = 0, sums = 0, index_sum = 0, end = 0;
  std::uint64_t data_bytes = 0, blocks = 0;
};
DataLayout layout_of(const DataHeader& header);

std::uint32_t header_sum(const DataHeader& header, std::string_view recipe);

// Parses the header at the start of a file. Checks every number against the file's size before it
// is used, and the checksum of header and recipe. Throws DataFileError.
DataHeader parse_data_header(const std::string& path, std::string_view bytes);

[[noreturn]] void refuse_data(const std::string& path, std::uint64_t at,
                              const std::string& expected, const std::string& got);

}  // namespace runner
