#include "lcsm/files/safetensors_header.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "lcsm/files/safetensors_error.h"
#include "lcsm/files/safetensors_reader.h"

namespace lcsm {
namespace {

constexpr std::uint64_t kLongestHeader = 100'000'000;  // the reference implementation's limit

std::string bytes_text(std::uint64_t bytes) {
  return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
}

// The bytes of a tensor of this shape. The overflow check counts a size of 0 as 1: strides are
// products of sizes too, and must not overflow in an empty tensor.
std::uint64_t bytes_of(const std::string& path, const SafeTensorsEntry& entry) {
  std::int64_t bytes = static_cast<std::int64_t>(kSafeTensorsTypes[entry.type].bytes);
  bool empty = false;
  for (const std::int64_t size : entry.shape) {
    empty |= size == 0;
    if (__builtin_mul_overflow(bytes, std::max<std::int64_t>(1, size), &bytes))
      refuse_safetensors(path, "a shape of less than 2^63 bytes for " + shown_word(entry.name),
                         "more");
  }
  return empty ? 0 : static_cast<std::uint64_t>(bytes);
}

void check_cover(const std::string& path, const std::vector<SafeTensorsEntry>& entries,
                 std::uint64_t data_bytes) {
  std::uint64_t end = 0;
  for (const SafeTensorsEntry& entry : entries) {
    const std::string whose = " for " + shown_word(entry.name);
    const std::string range =
        "[" + std::to_string(entry.begin) + ", " + std::to_string(entry.end) + "]";
    if (entry.begin != end)
      refuse_safetensors(path, "data_offsets from " + std::to_string(end) + whose, range);
    const std::uint64_t bytes = bytes_of(path, entry);
    if (entry.end < entry.begin || entry.end - entry.begin != bytes)
      refuse_safetensors(path, "data_offsets of " + bytes_text(bytes) + whose, range);
    end = entry.end;
  }
  if (end != data_bytes)
    refuse_safetensors(path, bytes_text(end) + " of data", bytes_text(data_bytes),
                       end > data_bytes ? "it was cut short, copy it again" : "write it again");
}

std::string entry_text(const SafeTensorsEntry& entry) {
  std::string shape;
  for (const std::int64_t size : entry.shape)
    shape += (shape.empty() ? "" : ",") + std::to_string(size);
  return "{\"dtype\":\"" + std::string(kSafeTensorsTypes[entry.type].name) + "\",\"shape\":[" +
         shape + "],\"data_offsets\":[" + std::to_string(entry.begin) + "," +
         std::to_string(entry.end) + "]}";
}

std::string json_text(const std::string& path, const std::string& text) {
  try {
    return nlohmann::json(text).dump();
  } catch (const nlohmann::json::exception&) {
    throw SafeTensorsError("'" + path +
                           "' was not written: expected UTF-8 in names and metadata, got " +
                           shown_word(text) + "; rename it");
  }
}

}  // namespace

std::string shown_word(std::string_view word) {
  constexpr std::size_t kMost = 60;
  std::string text;
  for (const char c : word.substr(0, kMost)) {
    const auto byte = static_cast<unsigned char>(c);
    text += byte < 0x20 || byte >= 0x7f ? '?' : c;
  }
  return "'" + text + (word.size() > kMost ? "...'" : "'");
}

void refuse_safetensors(const std::string& path, const std::string& expected,
                        const std::string& got, const std::string& advice) {
  throw SafeTensorsError("'" + path + "' is not a safetensors file: expected " + expected +
                         ", got " + got + "; " + advice);
}

std::uint64_t safetensors_header_length(const std::string& path, std::string_view first_bytes,
                                        std::uint64_t file_bytes) {
  if (file_bytes < kSafeTensorsStart || first_bytes.size() < kSafeTensorsStart)
    refuse_safetensors(path, "8 bytes with the length of the header",
                       file_bytes == 0 ? "an empty file" : bytes_text(file_bytes),
                       "it was cut short, copy it again");
  std::uint64_t length = 0;
  for (std::size_t i = kSafeTensorsStart; i-- > 0;)
    length = length << 8 | static_cast<unsigned char>(first_bytes[i]);
  if (length > kLongestHeader)
    refuse_safetensors(path, "a header of at most " + bytes_text(kLongestHeader),
                       bytes_text(length), "give the path of a safetensors file");
  if (length > file_bytes - kSafeTensorsStart)
    refuse_safetensors(path, "a header of " + bytes_text(length),
                       bytes_text(file_bytes - kSafeTensorsStart),
                       "it was cut short, copy it again");
  return length;
}

SafeTensorsHeader parse_safetensors_header(const std::string& path, std::string_view json,
                                           std::uint64_t data_bytes) {
  if (!json.starts_with('{'))
    refuse_safetensors(path, "a header that begins with '{'",
                       json.empty() ? "an empty one" : shown_word(json.substr(0, 1)),
                       "give the path of a safetensors file");
  // The parser would treat a NUL as the end of the text and ignore the rest.
  if (const std::size_t at = json.find('\0'); at != std::string_view::npos)
    refuse_safetensors(path, "JSON as the header", "a NUL at byte " + std::to_string(at));
  SafeTensorsReader reader(path);
  nlohmann::json::sax_parse(json.begin(), json.end(), &reader);
  SafeTensorsHeader header = reader.take();
  std::stable_sort(header.entries.begin(), header.entries.end(),
                   [](const SafeTensorsEntry& a, const SafeTensorsEntry& b) {
                     return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
                   });
  check_cover(path, header.entries, data_bytes);
  return header;
}

std::string print_safetensors_header(const std::string& path, const SafeTensorsHeader& header) {
  std::string text(kSafeTensorsStart, '\0'), metadata;
  const auto add = [&path](std::string* to, const std::string& key, const std::string& value) {
    *to += (to->empty() || to->back() == '{' ? "" : ",") + json_text(path, key) + ":" + value;
  };
  for (const auto& [key, value] : header.metadata) add(&metadata, key, json_text(path, value));
  text += '{';
  if (!metadata.empty()) add(&text, kSafeTensorsMetadata, "{" + metadata + "}");
  for (const SafeTensorsEntry& entry : header.entries) {
    if (entry.name == kSafeTensorsMetadata)
      throw SafeTensorsError("'" + path + "' was not written: expected names of tensors, got '" +
                             kSafeTensorsMetadata + "', which the format reserves; rename it");
    add(&text, entry.name, entry_text(entry));
  }
  text += '}';
  text.resize((text.size() + 7) / 8 * 8, ' ');
  const std::uint64_t length = text.size() - kSafeTensorsStart;
  if (length > kLongestHeader)
    throw SafeTensorsError("'" + path + "' was not written: expected a header of at most " +
                           bytes_text(kLongestHeader) + ", got " + bytes_text(length) +
                           "; write several files");
  for (std::size_t i = 0; i < kSafeTensorsStart; ++i)
    text[i] = static_cast<char>(length >> (8 * i) & 0xff);
  return text;
}

}  // namespace lcsm
