#include "lcsm/files/safetensors_reader.h"

#include <algorithm>
#include <limits>

namespace lcsm {
namespace {

constexpr std::size_t kMostAxes = 64;  // as many as LibTorch can index
constexpr int kDeepest = 100;          // brackets inside a skipped value

std::string type_names() {
  std::string names;
  for (const SafeTensorsType& type : kSafeTensorsTypes)
    names += (names.empty() ? "" : ", ") + std::string(type.name);
  return names;
}

}  // namespace

std::string SafeTensorsReader::expected() const {
  switch (level_) {
    case kOutside:
      return "one JSON object as the header";
    case kTensors:
      return (name_ == kSafeTensorsMetadata ? "an object of strings" : "an object") +
             std::string(" as ") + shown_word(name_);
    case kMetadata:
      return "a string as " + shown_word(name_) + " of the metadata";
    case kShape:
      return "up to 64 integers as the shape of " + shown_word(entry().name);
    case kOffsets:
      return "two integers as data_offsets of " + shown_word(entry().name);
    case kTensor:
      break;
  }
  const std::string whose = " of " + shown_word(entry().name);
  return field_ == kType         ? "one of " + type_names() + " as dtype" + whose
         : field_ == kShapeField ? "an array as the shape" + whose
                                 : "an array as data_offsets" + whose;
}

bool SafeTensorsReader::misplaced(const std::string& got) {
  if (!skipping()) refuse_safetensors(path_, expected(), got);
  return true;
}

bool SafeTensorsReader::deeper() {
  if (++depth_ > kDeepest)
    refuse_safetensors(path_, "at most " + std::to_string(kDeepest) + " nested brackets", "more");
  return true;
}

bool SafeTensorsReader::null() {
  return (level_ == kTensors && name_ == kSafeTensorsMetadata) || misplaced("null");
}

bool SafeTensorsReader::number_unsigned(std::uint64_t value) {
  const auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (value <= most && level_ == kShape && entry().shape.size() < kMostAxes) {
    entry().shape.push_back(static_cast<std::int64_t>(value));
    return true;
  }
  if (level_ == kOffsets && offsets_ < 2) {
    (offsets_++ == 0 ? entry().begin : entry().end) = value;
    return true;
  }
  return misplaced(std::to_string(value));
}

bool SafeTensorsReader::string(std::string& text) {
  if (level_ == kMetadata) {
    header_.metadata[name_] = std::move(text);
    return true;
  }
  if (level_ != kTensor || field_ != kType) return misplaced(shown_word(text));
  const auto type = std::find_if(kSafeTensorsTypes.begin(), kSafeTensorsTypes.end(),
                                 [&](const SafeTensorsType& row) { return row.name == text; });
  if (type == kSafeTensorsTypes.end()) return misplaced(shown_word(text));
  entry().type = static_cast<std::size_t>(type - kSafeTensorsTypes.begin());
  return true;
}

bool SafeTensorsReader::start_object(std::size_t) {
  if (skipping()) return deeper();
  switch (level_) {
    case kOutside:
      level_ = kTensors;
      return true;
    case kTensors:
      level_ = name_ == kSafeTensorsMetadata ? kMetadata : kTensor;
      if (level_ == kMetadata) return true;
      header_.entries.push_back({});
      entry().name = name_;
      fields_ = offsets_ = 0;
      return true;
    default:
      return misplaced("an object");
  }
}

bool SafeTensorsReader::key(std::string& text) {
  if (depth_ > 0) return true;
  bool twice = false;
  if (level_ == kTensor) {
    field_ = text == "dtype"          ? kType
             : text == "shape"        ? kShapeField
             : text == "data_offsets" ? kOffsetsField
                                      : kUnknown;
    twice = field_ != kUnknown && (fields_ & field_) != 0;
    fields_ |= field_;
  } else {
    name_ = text;
    twice = level_ == kMetadata ? header_.metadata.contains(text) : !names_.insert(text).second;
  }
  if (twice) refuse_safetensors(path_, "unique names", shown_word(text) + " twice");
  return true;
}

bool SafeTensorsReader::end_object() {
  if (depth_ > 0) {
    --depth_;
    return true;
  }
  if (level_ == kTensor && (fields_ & kAll) != kAll)
    refuse_safetensors(path_, "dtype, shape and data_offsets of " + shown_word(entry().name),
                       "fewer");
  level_ = level_ == kTensors ? kOutside : kTensors;
  return true;
}

bool SafeTensorsReader::start_array(std::size_t) {
  if (skipping()) return deeper();
  if (level_ != kTensor || field_ == kType) return misplaced("an array");
  level_ = field_ == kShapeField ? kShape : kOffsets;
  return true;
}

bool SafeTensorsReader::end_array() {
  if (depth_ > 0) {
    --depth_;
    return true;
  }
  if (level_ == kOffsets && offsets_ != 2)
    refuse_safetensors(path_, expected(), std::to_string(offsets_));
  level_ = kTensor;
  return true;
}

bool SafeTensorsReader::parse_error(std::size_t position, const std::string&,
                                    const nlohmann::json::exception&) {
  refuse_safetensors(path_, "JSON in UTF-8 as the header",
                     "an error at byte " + std::to_string(position));
}

}  // namespace lcsm
