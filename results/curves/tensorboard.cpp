#include "results/curves/tensorboard.h"

#include <bit>
#include <cstdio>
#include <string_view>

#include "results/files/checksum.h"

namespace results {
namespace {

// ----- Protocol buffers: fields, each with its number -----

std::string little_endian(std::uint64_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i, value >>= 8) text += static_cast<char>(value & 255);
  return text;
}

std::string varint(std::uint64_t value) {
  std::string text;
  for (; value >= 128; value >>= 7) text += static_cast<char>(value | 128);
  return text + static_cast<char>(value);
}

enum Wire : std::uint64_t { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };

std::string head(std::uint64_t field, Wire wire) { return varint(field << 3 | wire); }

std::string whole_field(std::uint64_t field, std::int64_t value) {
  return head(field, kVarint) + varint(static_cast<std::uint64_t>(value));
}
std::string double_field(std::uint64_t field, double value) {
  return head(field, kFixed64) + little_endian(std::bit_cast<std::uint64_t>(value), 8);
}
std::string float_field(std::uint64_t field, float value) {
  return head(field, kFixed32) + little_endian(std::bit_cast<std::uint32_t>(value), 4);
}
// A text or another message.
std::string field(std::uint64_t field, std::string_view content) {
  return head(field, kBytes) + varint(content.size()) + std::string(content);
}

// ----- TFRecord: length and content, each with its masked checksum -----

std::string masked_crc(std::string_view bytes) {
  return little_endian(std::rotr(crc32c(bytes), 15) + 0xA282EAD8U, 4);
}

std::string record(const std::string& content) {
  const std::string length = little_endian(content.size(), 8);
  return length + masked_crc(length) + content + masked_crc(content);
}

// ----- tensorflow.Event -----

std::string event(double time, std::int64_t step, const std::string& what) {
  return record(double_field(1, time) + (step == 0 ? "" : whole_field(2, step)) + what);
}

// Event.summary of these Summary.values.
std::string summary(const std::string& values) { return field(5, values); }

// "valid/ppl" for "valid.ppl".
std::string tag_of(std::string metric) {
  if (const std::size_t dot = metric.find('.'); dot != std::string::npos) metric[dot] = '/';
  return metric;
}

std::string scalars(const CurvePoint& point) {
  std::string values;
  for (const auto& [metric, value] : point.values)
    values += field(1, field(1, tag_of(metric)) + float_field(2, static_cast<float>(value)));
  return summary(values);
}

// ----- The HParams plugin: the Summary.value's metadata are the message -----

std::string hparams(const char* tag, const std::string& message) {
  const std::string plugin = field(1, "hparams") + field(2, message);
  return summary(field(1, field(1, tag) + field(9, field(1, plugin))));
}

// google.protobuf.Value
std::string value_of(const Value& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return whole_field(4, *flag);
  if (const auto* whole = std::get_if<std::int64_t>(&value))
    return double_field(2, static_cast<double>(*whole));
  if (const auto* real = std::get_if<double>(&value)) return double_field(2, *real);
  if (const auto* text = std::get_if<std::string>(&value)) return field(3, *text);
  return field(3, std::get<List>(value).json);
}

std::string session_start(const RunCurves& run) {
  std::string info;
  for (const auto& [key, value] : run.parameters)
    info += field(1, field(1, key) + field(2, value_of(value)));
  return hparams("_hparams_/session_start_info", field(3, info + double_field(5, run.started)));
}

std::string session_end(const RunCurves& run) {
  enum { kUnknown = 0, kSuccess = 1, kFailure = 2 };
  const int status = *run.end == RunState::kDone ? kSuccess
                     : has_failed(*run.end)      ? kFailure
                                                 : kUnknown;
  return hparams("_hparams_/session_end_info",
                 field(4, whole_field(1, status) + double_field(2, run.ended)));
}

}  // namespace

std::string tensorboard_file(const RunCurves& run) {
  char name[64];
  std::snprintf(name, sizeof name, "events.out.tfevents.%010.0f.lcsm", run.started);
  return name;
}

std::string tensorboard_events(const RunCurves& run) {
  std::string file = event(run.started, 0, field(3, "brain.Event:2"));
  file += event(run.started, 0, session_start(run));
  for (const CurvePoint& point : run.points) file += event(point.time, point.step, scalars(point));
  if (run.end)
    file += event(run.ended, run.points.empty() ? 0 : run.points.back().step, session_end(run));
  return file;
}

}  // namespace results
