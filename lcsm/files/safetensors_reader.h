// Reads the JSON of a safetensors header event by event: nothing is stored but what the format
// defines, and duplicate names are found. Unknown keys of a tensor are skipped, as in the reference
// implementation.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <unordered_set>

#include "lcsm/files/safetensors_header.h"

namespace lcsm {

inline constexpr const char* kSafeTensorsMetadata = "__metadata__";

// The events of the parser; each throws SafeTensorsError where it is out of place.
class SafeTensorsReader : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit SafeTensorsReader(const std::string& path) : path_(path) {}
  SafeTensorsHeader take() { return std::move(header_); }

  bool null() override;
  bool boolean(bool value) override { return misplaced(value ? "true" : "false"); }
  bool number_integer(std::int64_t) override { return misplaced("a number with a minus sign"); }
  bool number_unsigned(std::uint64_t value) override;
  bool number_float(double, const std::string& text) override { return misplaced(text); }
  bool string(std::string& text) override;
  bool binary(nlohmann::json::binary_t&) override { return misplaced("bytes"); }
  bool start_object(std::size_t) override;
  bool key(std::string& text) override;
  bool end_object() override;
  bool start_array(std::size_t) override;
  bool end_array() override;
  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::json::exception&) override;

 private:
  enum Level { kOutside, kTensors, kMetadata, kTensor, kShape, kOffsets };
  enum Field { kType = 1, kShapeField = 2, kOffsetsField = 4, kAll = 7, kUnknown = 8 };

  bool misplaced(const std::string& got);  // accepted inside a skipped value, else refused
  bool skipping() const { return depth_ > 0 || (level_ == kTensor && field_ == kUnknown); }
  bool deeper();
  std::string expected() const;
  SafeTensorsEntry& entry() { return header_.entries.back(); }
  const SafeTensorsEntry& entry() const { return header_.entries.back(); }

  const std::string& path_;
  SafeTensorsHeader header_;
  Level level_ = kOutside;
  int depth_ = 0;                          // of brackets inside a skipped value
  std::unordered_set<std::string> names_;  // at the top level
  std::string name_;  // the key of the next value, at the top level or in the metadata
  Field field_ = kUnknown;
  int fields_ = 0;   // bits of Field: the keys of this tensor that were read
  int offsets_ = 0;  // how many of the two data_offsets were read
};

}  // namespace lcsm
