// event_text.cpp and event_parse.cpp: events as text, and back.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>

#include "results/events/event_text.h"
#include "tests/message_of.h"
#include "tests/results/fixture.h"

namespace results {
namespace {

const std::vector<Event> kEvents = {
    {1, 0, 1000.5,
     RunLine{run_id(7),
             "{\"seed\":1}",
             {{"a", true},
              {"b", std::int64_t{3}},
              {"c", 1.0},
              {"d", "x\n\"y\""},
              {"e", List{"[64,128]"}}}}},
    {2, 1, 0, AttemptLine{300, 1, {{"host", "here"}}}},
    {3, 1, 0.1, MetricsLine{100, {{"train.loss", 2.3}, {"valid.ppl", 1e300}}}},
    {4, 1, 1, ArtefactLine{"checkpoint", "checkpoints/100", 100, 4096, "ab"}},
    {5, 1, 1, MessageLine{"warning", "a <b> \x1b[31m"}},
    {6, 1, 1, EndLine{RunState::kOutOfMemory, 100, "no room"}},
};

std::string refusal_of_event(const std::string& text) {
  return message_of<LineError>([&] { parse_event(text); });
}

std::string metrics_with(const std::string& values) {
  return R"({"seq":3,"attempt":1,"time":1,"event":"metrics","step":1,"values":)" + values;
}

}  // namespace

TEST(Event, IsRestoredFromItsText) {
  for (const Event& event : kEvents)
    EXPECT_EQ(parse_event(text_of(event)), event) << text_of(event);
}

TEST(Event, IsOneLineThatPythonCanCheck) {
  std::uint32_t crc = 0;
  const std::string line = sealed(text_of(kEvents[2]), &crc);
  EXPECT_EQ(line, R"({"seq":3,"attempt":1,"time":0.1,"event":"metrics","step":100,)"
                  R"("values":{"train.loss":2.3,"valid.ppl":1e+300},"crc":"cad2801e"})"
                  "\n");
}

TEST(Event, KeepsNaNAndInfinities) {
  const double inf = std::numeric_limits<double>::infinity();
  const Event event{3, 1, 1, MetricsLine{1, {{"a", inf}, {"b", -inf}, {"c", std::nan("")}}}};
  const Event back = parse_event(text_of(event));
  const auto& values = std::get<MetricsLine>(back.line).values;
  EXPECT_EQ(values[0].second, inf);
  EXPECT_EQ(values[1].second, -inf);
  EXPECT_TRUE(std::isnan(values[2].second));
}

TEST(Event, RefusesInvalidTextAndSaysWhy) {
  EXPECT_EQ(refusal_of_event("{"), "expected 'seq', got none");
  EXPECT_EQ(refusal_of_event("[1"), "expected JSON, got \"[1\"");
  EXPECT_EQ(refusal_of_event(metrics_with("{}")), "expected metrics as 'values', got {}");
  EXPECT_EQ(refusal_of_event(metrics_with("{\"a\":\"x\"}")),
            "expected a number, \"nan\", \"inf\" or \"-inf\" as \"a\", got \"x\"");
  EXPECT_EQ(refusal_of_event(metrics_with("{\"a\":1},\"b\":1")),
            "expected no other field, got \"b\"");
  EXPECT_EQ(refusal_of_event(R"({"seq":0)"), "expected an integer of at least 1 as 'seq', got 0");
  EXPECT_EQ(refusal_of_event(R"({"seq":1,"attempt":1,"time":1,"event":"\u001b[2J")"),
            "expected a kind of event, got \"\\u001b[2J\"");
}

TEST(Event, RefusesPathsThatLeaveTheRunFolder) {
  for (const char* path : {"/etc/passwd", "../x", "a/../../x", "..", ""}) {
    const Event event{4, 1, 1, ArtefactLine{"checkpoint", path, 1, 1, ""}};
    EXPECT_NE(refusal_of_event(text_of(event)).find("a path inside the run folder"),
              std::string::npos);
  }
}

TEST(Event, AChecksumCoversTheLinesBefore) {
  std::uint32_t crc = 0;
  const std::string first = sealed("{\"a\":1", &crc), second = sealed("{\"b\":2", &crc);
  std::uint32_t check = 0;
  EXPECT_EQ(opened(first.substr(0, first.size() - 1), &check), "{\"a\":1");
  EXPECT_EQ(opened(second.substr(0, second.size() - 1), &check), "{\"b\":2");
  EXPECT_EQ(check, crc);
  std::uint32_t without = 0;
  EXPECT_THROW(opened(second.substr(0, second.size() - 1), &without), LineError);
}

// The fast parser accepts only lines that the full one accepts, with equal results.
TEST(Event, TheFastParserAgreesWithTheFullOne) {
  const std::string plain = text_of(kEvents[2]);
  Event event;
  ASSERT_TRUE(parse_plain_metrics(plain, &event));
  EXPECT_EQ(event, kEvents[2]);
  for (const char* values :
       {"{}", R"({"a":1,"a":2})", R"({"b":1,"a":2})", R"({"a":01})", R"({"a":1.})", R"({"a":+1})",
        R"({"a":inf})", R"({"a":"nan"})", R"({"\u0061":1})", R"({"a":1},)", R"({"a":1 })",
        R"({"a":1e999})", R"({"a":.5})", R"({"":1})", R"({"a":-})"})
    EXPECT_FALSE(parse_plain_metrics(metrics_with(values), &event)) << values;
}

// Parses mutated text without the help of the checksum: every text gives an event or is refused.
// LCSM_FUZZ sets the number of lines, 20 000 by default.
TEST(Event, MutatedTextIsReadOrRefused) {
  const char* requested = std::getenv("LCSM_FUZZ");
  const int rounds = requested != nullptr ? std::atoi(requested) : 20000;
  std::mt19937 random(7);
  const auto below = [&](std::size_t n) { return random() % n; };
  for (int round = 0; round < rounds; ++round) {
    std::string text = text_of(kEvents[below(kEvents.size())]);
    for (std::size_t i = 0; i <= below(4); ++i)
      text[below(text.size())] =
          static_cast<char>(below(3) == 0 ? below(256) : "{}[]\",:0e-"[below(10)]);
    if (Event quick; parse_plain_metrics(text, &quick)) {
      EXPECT_TRUE(nlohmann::json::accept(text + "}")) << text;
    }
    try {
      const Event event = parse_event(text);
      EXPECT_EQ(text_of(parse_event(text_of(event))), text_of(event)) << text;
    } catch (const LineError&) {
    }
  }
}

}  // namespace results
