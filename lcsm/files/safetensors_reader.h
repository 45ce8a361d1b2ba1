// Reads the JSON of a safetensors header event by event, so that no tree is built of what it does
// not say and no name stands twice. Unknown keys of a tensor are passed over, as the reference
// implementation does.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <unordered_set>

#include "lcsm/files/safetensors_header.h"

namespace lcsm {

inline constexpr const char* kSafeTensorsMetadata = "__metadata__";

// The parser calls these; each throws SafeTensorsError when the event has no place where it stands.
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

  bool misplaced(const std::string& got);  // fine in what is passed over, else refused
  bool passed_over() const { return depth_ > 0 || (level_ == kTensor && field_ == kUnknown); }
  bool deeper();
  std::string wanted() const;
  SafeTensorsEntry& entry() { return header_.entries.back(); }
  const SafeTensorsEntry& entry() const { return header_.entries.back(); }

  const std::string& path_;
  SafeTensorsHeader header_;
  Level level_ = kOutside;
  int depth_ = 0;                          // of brackets inside what is passed over
  std::unordered_set<std::string> names_;  // of the first level
  std::string name_;                       // the key whose value comes, there or in the metadata
  Field field_ = kUnknown;
  int fields_ = 0;   // that the tensor has had
  int offsets_ = 0;  // of data_offsets
};

}  // namespace lcsm
