// Reads event files back with a decoder of its own.
#include "results/curves/tensorboard.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <map>

#include "results/files/checksum.h"
#include "tests/results/fixture.h"

namespace results {
namespace {

std::uint64_t little_endian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = bytes.size(); i > 0; --i)
    value = value << 8 | static_cast<unsigned char>(bytes[i - 1]);
  return value;
}

std::string_view take(std::string_view* text, std::size_t bytes) {
  if (text->size() < bytes) throw std::runtime_error("cut");
  const std::string_view taken = text->substr(0, bytes);
  text->remove_prefix(bytes);
  return taken;
}

void expect_sum(std::string_view content, std::string_view sum) {
  const std::uint32_t crc = crc32c(content);
  EXPECT_EQ(little_endian(sum), ((crc >> 15 | crc << 17) + 0xa282ead8U) & 0xffffffffU);
}

std::vector<std::string> records(std::string_view file) {
  std::vector<std::string> all;
  while (!file.empty()) {
    const std::string_view length = take(&file, 8);
    expect_sum(length, take(&file, 4));
    const std::string_view content = take(&file, little_endian(length));
    expect_sum(content, take(&file, 4));
    all.emplace_back(content);
  }
  return all;
}

std::uint64_t varint(std::string_view* text) {
  std::uint64_t value = 0;
  for (int shift = 0;; shift += 7) {
    const auto byte = static_cast<unsigned char>(take(text, 1)[0]);
    value |= static_cast<std::uint64_t>(byte & 127) << shift;
    if (byte < 128) return value;
  }
}

// A protocol buffer: the content of each field, and how it was coded.
struct Field {
  int wire = 0;
  std::uint64_t number = 0;  // of the wires 0, 1 and 5
  std::string bytes;         // of wire 2
  double real() const { return std::bit_cast<double>(number); }
  float single() const { return std::bit_cast<float>(static_cast<std::uint32_t>(number)); }
};
using Message = std::multimap<int, Field>;

Message message(std::string_view text) {
  Message fields;
  while (!text.empty()) {
    const std::uint64_t head = varint(&text);
    Field field{static_cast<int>(head & 7), 0, ""};
    if (field.wire == 0) field.number = varint(&text);
    if (field.wire == 1) field.number = little_endian(take(&text, 8));
    if (field.wire == 2) field.bytes = take(&text, varint(&text));
    if (field.wire == 5) field.number = little_endian(take(&text, 4));
    fields.emplace(static_cast<int>(head >> 3), field);
  }
  return fields;
}

const Field& only(const Message& fields, int number) {
  if (fields.count(number) != 1) throw std::runtime_error("expected one field");
  return fields.find(number)->second;
}

Message within(const Message& fields, int number) { return message(only(fields, number).bytes); }

struct Written {
  RunCurves run;
  std::vector<Message> events;
};

Written written(const FixtureRun& run) {
  const Scratch scratch;
  Written all{read_curves(write_run(scratch.path(), run)), {}};
  for (const std::string& record : records(tensorboard_events(all.run)))
    all.events.push_back(message(record));
  return all;
}

// The part of an event that the HParams plugin reads.
Message session(const Message& event, const std::string& tag) {
  const Message value = within(within(event, 5), 1);
  EXPECT_EQ(only(value, 1).bytes, tag);
  const Message plugin = within(within(value, 9), 1);
  EXPECT_EQ(only(plugin, 1).bytes, "hparams");
  return within(plugin, 2);
}

}  // namespace

TEST(TensorBoard, AFileBeginsWithItsVersion) {
  const Written file = written({});
  EXPECT_EQ(only(file.events[0], 3).bytes, "brain.Event:2");
  EXPECT_EQ(only(file.events[0], 1).real(), 1000);
  EXPECT_EQ(tensorboard_file(file.run), "events.out.tfevents.0000001000.lcsm");
  EXPECT_EQ(tensorboard_events(file.run), tensorboard_events(file.run));
}

TEST(TensorBoard, EveryValueIsAScalar) {
  const Written file = written({.valid = {30, std::nan(""), INFINITY}, .test = 300});
  ASSERT_EQ(file.events.size(), 7u);  // version, start, four points, end
  for (std::size_t i = 0; i < file.run.points.size(); ++i) {
    const CurvePoint& point = file.run.points[i];
    const Message& event = file.events[i + 2];
    EXPECT_EQ(only(event, 1).real(), point.time);
    EXPECT_EQ(only(event, 2).number, static_cast<std::uint64_t>(point.step));
    const Message summary = within(event, 5);
    auto [value, end] = summary.equal_range(1);
    for (const auto& [metric, real] : point.values) {
      ASSERT_NE(value, end);
      const Message scalar = message((value++)->second.bytes);
      EXPECT_EQ(only(scalar, 1).bytes, std::string(metric).replace(metric.find('.'), 1, "/"));
      const float single = only(scalar, 2).single();
      EXPECT_TRUE(single == static_cast<float>(real) || (std::isnan(single) && std::isnan(real)));
    }
    EXPECT_EQ(value, end);
  }
}

TEST(TensorBoard, ParametersAreHyperparameters) {
  const Written file = written({.more = {{"flag", true}, {"sizes", List{"[1,2]"}}}});
  const Message start = within(session(file.events[1], "_hparams_/session_start_info"), 3);
  EXPECT_EQ(only(start, 5).real(), 1000);
  std::map<std::string, Message> values;
  for (auto [at, end] = start.equal_range(1); at != end; ++at) {
    const Message entry = message(at->second.bytes);
    values[only(entry, 1).bytes] = within(entry, 2);
  }
  EXPECT_EQ(values.size(), file.run.parameters.size());
  EXPECT_EQ(only(values["flag"], 4).number, 1u);
  EXPECT_EQ(only(values["optim.lr"], 2).real(), 1e-3);
  EXPECT_EQ(only(values["seed"], 2).real(), 1);
  EXPECT_EQ(only(values["model.code"], 3).bytes, "1-1-1-0");
  EXPECT_EQ(only(values["sizes"], 3).bytes, "[1,2]");
}

TEST(TensorBoard, ASessionEndsAsTheRunDid) {
  const std::vector<std::pair<const char*, std::uint64_t>> statuses = {
      {"done", 1}, {"diverged", 2}, {"out-of-memory", 2}, {"interrupted", 0}};
  for (const auto& [status, number] : statuses) {
    const Written file = written({.status = status});
    const Message end = within(session(file.events.back(), "_hparams_/session_end_info"), 4);
    EXPECT_EQ(only(end, 1).number, number) << status;
    EXPECT_EQ(only(end, 2).real(), file.run.ended);
    EXPECT_EQ(only(file.events.back(), 2).number, 300u);
  }
  EXPECT_EQ(written({.status = ""}).events.size(), written({}).events.size() - 1);
}

// The bytes that the package tensorboard 2.21 writes for an equal event.
TEST(TensorBoard, ARecordIsThatOfOtherWriters) {
  RunCurves run;
  run.started = 1;
  std::string start;
  for (const char byte : tensorboard_events(run).substr(0, 40))
    start += crc_text(static_cast<unsigned char>(byte)).substr(6);
  EXPECT_EQ(start,
            "1800000000000000a37f4b2209000000000000f03f1a0d627261696e2e4576656e743a3286bf577a");
}

}  // namespace results
