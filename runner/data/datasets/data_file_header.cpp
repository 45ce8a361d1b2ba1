#include "runner/data/datasets/data_file_header.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>

#include "lcsm/base/safe_text.h"
#include "results/files/checksum.h"

namespace runner {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::uint64_t up_to(std::uint64_t size, std::uint64_t multiple) {
  return (size + multiple - 1) / multiple * multiple;
}

// A number of the header and its limits, with which no size of the layout exceeds 2^63.
struct Claim {
  std::size_t at;
  const char* what;
  std::uint64_t value, least, most;
};

void check_claims(const std::string& path, const DataHeader& header, std::uint64_t file_bytes) {
  const DataShape& shape = header.shape;
  constexpr std::size_t kShape = offsetof(DataHeader, shape);
  const bool real = shape.element == Element::kReal;
  const std::uint64_t examples = std::min(header.examples, file_bytes);
  const std::uint64_t sequences = examples * (shape.sequences == 2 ? 2 : 1);
  const Claim claims[] = {
      {kShape + offsetof(DataShape, element), "a kind of element",
       static_cast<std::uint64_t>(shape.element), 1, 3},
      {kShape + offsetof(DataShape, channels), "channels", shape.channels, 1, 1 << 16},
      {kShape + offsetof(DataShape, vocabulary), "a vocabulary", shape.vocabulary, real ? 0u : 1u,
       real ? 0u : std::uint64_t{1} << 8 * std::min<std::uint64_t>(2, bytes_of(shape.element))},
      {kShape + offsetof(DataShape, classes), "classes", shape.classes, 0, 1 << 16},
      {kShape + offsetof(DataShape, targets), "targets", shape.targets, 0,
       shape.classes > 0 ? 0u : 1u << 24},
      {kShape + offsetof(DataShape, sequences), "sequences", shape.sequences, 1, 2},
      {offsetof(DataHeader, recipe_bytes), "bytes of the recipe", header.recipe_bytes, 0,
       std::min(kMostRecipe, file_bytes - sizeof header)},
      {offsetof(DataHeader, examples), "examples", header.examples, 0, file_bytes},
      {offsetof(DataHeader, steps), "steps", header.steps, 0, file_bytes},
  };
  for (const auto& [at, what, value, least, most] : claims)
    if (value < least || value > most)
      refuse_data(
          path, at,
          std::string(what) + " from " + std::to_string(least) + " to " + std::to_string(most),
          std::to_string(value));
  __extension__ using Wide = unsigned __int128;
  if (shape.length > 0 && Wide{sequences} * shape.length != header.steps)
    refuse_data(path, offsetof(DataHeader, steps), "a length for each sequence",
                std::to_string(header.steps) + " steps");
  if (Wide{header.steps} * shape.step_bytes() > file_bytes)
    refuse_data(path, offsetof(DataHeader, steps), "steps that fit into the file",
                std::to_string(header.steps));
  if (Wide{header.examples} * shape.targets > file_bytes)
    refuse_data(path, kShape + offsetof(DataShape, targets), "targets that fit into the file",
                std::to_string(shape.targets));
  const std::uint64_t pixels = std::uint64_t{shape.rows} * shape.columns;
  if ((shape.rows > 0 || shape.columns > 0) && (pixels == 0 || pixels != shape.length))
    refuse_data(path, kShape + offsetof(DataShape, rows), "rows x columns = length",
                std::to_string(shape.rows) + " x " + std::to_string(shape.columns));
}

}  // namespace

DataLayout layout_of(const DataHeader& header) {
  const DataShape& shape = header.shape;
  DataLayout at;
  at.data = up_to(sizeof(DataHeader) + header.recipe_bytes, 64);
  at.data_bytes = header.steps * shape.step_bytes();
  at.blocks = (at.data_bytes + kDataBlock - 1) / kDataBlock;
  at.ends = up_to(at.data + at.data_bytes, 8);
  at.labels = at.ends + (shape.length > 0 ? 0 : 8 * header.examples * shape.sequences);
  const std::uint64_t labels =
      shape.classes > 0 ? 2 * header.examples : 4 * header.examples * shape.targets;
  at.sums = at.labels + up_to(labels, 8);
  at.index_sum = at.sums + 4 * at.blocks;
  at.end = at.index_sum + 4;
  return at;
}

std::uint32_t header_sum(const DataHeader& header, std::string_view recipe) {
  const auto* const bytes = reinterpret_cast<const char*>(&header);
  return results::crc32(recipe, results::crc32({bytes, offsetof(DataHeader, sum)}));
}

DataHeader parse_data_header(const std::string& path, std::string_view bytes) {
  DataHeader header;
  const std::string_view magic(header.magic.data(), header.magic.size());
  if (bytes.size() < sizeof header)
    refuse_data(path, bytes.size(), "a header of " + std::to_string(sizeof header) + " bytes",
                "the end of the file");
  if (!bytes.starts_with(magic.substr(0, 7)))
    refuse_data(path, 0, "a data file, which begins with '" + std::string(magic.substr(0, 7)) + "'",
                "'" + lcsm::safe_text(bytes.substr(0, 8)) + "'");
  if (!bytes.starts_with(magic))
    refuse_data(path, 7, "version 1", "version '" + lcsm::safe_text(bytes.substr(7, 1)) + "'");
  std::memcpy(static_cast<void*>(&header), bytes.data(), sizeof header);
  check_claims(path, header, bytes.size());
  const DataLayout at = layout_of(header);
  if (header.file_bytes != at.end || bytes.size() != at.end)
    refuse_data(path, std::min<std::uint64_t>(bytes.size(), at.end),
                "a file of " + std::to_string(at.end) + " bytes",
                std::to_string(bytes.size()) + " bytes");
  if (header_sum(header, bytes.substr(sizeof header, header.recipe_bytes)) != header.sum)
    refuse_data(path, offsetof(DataHeader, sum), "the checksum of header and recipe",
                "another: they differ from what was written");
  return header;
}

void refuse_data(const std::string& path, std::uint64_t at, const std::string& expected,
                 const std::string& got) {
  throw DataFileError("'" + path + "' at byte " + std::to_string(at) + ": expected " + expected +
                      ", got " + got + "; remove the file, then generate or import it again");
}

}  // namespace runner
