#include "lcsm/files/safetensors_header.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "lcsm/files/safetensors_error.h"
#include "tests/lcsm/formula/fuzz.h"

namespace lcsm {
namespace {

// The error about a header; empty when it is valid.
std::string refusal(const std::string& json, std::uint64_t data_bytes) {
  try {
    parse_safetensors_header("FILE", json, data_bytes);
  } catch (const SafeTensorsError& error) {
    const std::string text = error.what(), start = "'FILE' is not a safetensors file: expected ";
    EXPECT_TRUE(text.starts_with(start) && text.find(", got ") < text.rfind("; ")) << text;
    EXPECT_LT(text.size(), 400U) << text;
    return text.substr(start.size(), text.rfind("; ") - start.size());
  }
  return "";
}

std::string tensor(const std::string& type, const std::string& shape, const std::string& offsets) {
  return R"({"a":{"dtype":)" + type + R"(,"shape":)" + shape + R"(,"data_offsets":)" + offsets +
         "}}";
}

std::string f32(const std::string& shape, const std::string& offsets) {
  return tensor(R"("F32")", shape, offsets);
}

struct Case {
  std::string json;
  const char* error;
  std::uint64_t bytes = 24;
};

void expect_refusals(const std::vector<Case>& cases) {
  for (const Case& c : cases) EXPECT_EQ(refusal(c.json, c.bytes), c.error) << c.json.substr(0, 200);
}

const std::string kGood = R"({"a":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]}})";

TEST(SafeTensorsHeader, ReadsNamesTypesShapesAndOffsets) {
  const std::string json =
      R"({"b":{"data_offsets":[24,25],"shape":[],"dtype":"BOOL"},"__metadata__":{"k":"v"},)" +
      kGood.substr(1, kGood.size() - 2) + "}  ";
  const SafeTensorsHeader header = parse_safetensors_header("FILE", json, 25);
  ASSERT_EQ(header.entries.size(), 2U);
  EXPECT_EQ(header.entries[0].name, "a");
  EXPECT_EQ(header.entries[0].shape, (std::vector<std::int64_t>{2, 3}));
  EXPECT_EQ(kSafeTensorsTypes[header.entries[0].type].name, "F32");
  EXPECT_EQ(header.entries[1].name, "b");
  EXPECT_TRUE(header.entries[1].shape.empty());
  EXPECT_EQ(header.entries[1].begin, 24U);
  EXPECT_EQ(header.metadata, (std::map<std::string, std::string>{{"k", "v"}}));
}

TEST(SafeTensorsHeader, TakesWhatTheReferenceImplementationTakes) {
  for (const Case& c : std::vector<Case>{
           {"{}", "", 0},
           {R"({"__metadata__":null})", "", 0},
           {R"({"__metadata__":{}})", "", 0},
           {f32("[0,3]", "[0,0]"), "", 0},
           {kGood + "    ", "", 24},
           {R"({"":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})", "", 1},
           {R"({"a":{"x":[{"y":null},-1.5e3,true],"dtype":"U8","shape":[1],"data_offsets":[0,1]}})",
            "", 1},
           {f32("[1" + std::string(63 * 2, ' ') + "]", "[0,4]"), "", 4}})
    EXPECT_EQ(refusal(c.json, c.bytes), "") << c.json;
}

TEST(SafeTensorsHeader, RefusesWhatIsNotAnObject) {
  const char* json = "JSON in UTF-8 as the header, got an error at byte ";
  expect_refusals({
      {"", "a header that begins with '{', got an empty one"},
      {" {}", "a header that begins with '{', got ' '"},
      {"[]", "a header that begins with '{', got '['"},
      {kGood + '\0', "JSON as the header, got a NUL at byte 57"},
  });
  for (const std::string& text :
       {kGood + "{}", kGood.substr(0, 30), std::string("{\"\xff\":1}"), kGood + "/* c */",
        f32("[NaN]", "[0,24]"), f32("[2,3,]", "[0,24]"), f32("[1e999]", "[0,24]")})
    EXPECT_TRUE(refusal(text, 24).starts_with(json)) << text << refusal(text, 24);
}

TEST(SafeTensorsHeader, RefusesMisplacedValues) {
  expect_refusals({
      {R"({"a":1})", "an object as 'a', got 1"},
      {R"({"a":null})", "an object as 'a', got null"},
      {R"({"__metadata__":[]})", "an object of strings as '__metadata__', got an array"},
      {R"({"__metadata__":{"k":1}})", "a string as 'k' of the metadata, got 1"},
      {f32("2", "[0,24]"), "an array as the shape of 'a', got 2"},
      {f32("[2,3]", "{}"), "an array as data_offsets of 'a', got an object"},
      {R"({"a":{"dtype":"F32","shape":[2]}})", "dtype, shape and data_offsets of 'a', got fewer"},
      {R"({"a":{}})", "dtype, shape and data_offsets of 'a', got fewer"},
  });
}

TEST(SafeTensorsHeader, RefusesNumbersThatAreNotIntegers) {
  const std::string shape = "up to 64 integers as the shape of 'a', got ";
  for (const auto& [number, got] :
       std::map<std::string, std::string>{{"-1", "a number with a minus sign"},
                                          {"-0", "a number with a minus sign"},
                                          {"2.0", "2.0"},
                                          {"1e2", "1e2"},
                                          {"\"2\"", "'2'"},
                                          {"true", "true"},
                                          {"[2]", "an array"},
                                          {"9223372036854775808", "9223372036854775808"},
                                          {"18446744073709551616", "18446744073709551616"}})
    EXPECT_EQ(refusal(f32("[" + number + "]", "[0,24]"), 24), shape + got);
}

TEST(SafeTensorsHeader, RefusesDuplicateNames) {
  const std::string inner = kGood.substr(1, kGood.size() - 2);
  expect_refusals({
      {"{" + inner + "," + inner + "}", "unique names, got 'a' twice"},
      {R"({"__metadata__":{"k":"v","k":"w"}})", "unique names, got 'k' twice"},
      {R"({"__metadata__":{},"__metadata__":{}})", "unique names, got '__metadata__' twice"},
      {R"({"a":{"dtype":"F32","dtype":"F64"}})", "unique names, got 'dtype' twice"},
  });
}

TEST(SafeTensorsHeader, RefusesTypesByName) {
  const std::string types =
      "one of I64, F64, F32, I32, BF16, F16, I16, I8, U8, BOOL as dtype of 'a', got ";
  EXPECT_EQ(refusal(tensor(R"("F8_E4M3")", "[2]", "[0,2]"), 2), types + "'F8_E4M3'");
  EXPECT_EQ(refusal(tensor(R"("U64")", "[2]", "[0,16]"), 16), types + "'U64'");
  EXPECT_EQ(refusal(tensor("32", "[2]", "[0,8]"), 8), types + "32");
  EXPECT_EQ(refusal(tensor(R"("\u001b[31m)" + std::string(99, 'x') + "\"", "[2]", "[0,8]"), 8),
            types + "'?[31m" + std::string(55, 'x') + "...'");
}

TEST(SafeTensorsHeader, RefusesOffsetsThatDoNotCoverTheData) {
  const std::string second = R"({"b":{"dtype":"U8","shape":[4],"data_offsets":[)";
  const std::string first = "]}," + kGood.substr(1);
  expect_refusals({
      {f32("[2,3]", "[0,23]"), "data_offsets of 24 bytes for 'a', got [0, 23]"},
      {f32("[2,3]", "[1,25]"), "data_offsets from 0 for 'a', got [1, 25]"},
      {f32("[0]", "[24,0]"), "data_offsets from 0 for 'a', got [24, 0]"},
      {f32("[2,3]", "[0]"), "two integers as data_offsets of 'a', got 1"},
      {f32("[2,3]", "[0,24,24]"), "two integers as data_offsets of 'a', got 24"},
      {kGood, "24 bytes of data, got 23 bytes", 23},
      {kGood, "24 bytes of data, got 25 bytes", 25},
      {second + "20,24" + first, "data_offsets from 24 for 'b', got [20, 24]"},
      {second + "25,29" + first, "data_offsets from 24 for 'b', got [25, 29]", 29},
      {second + "24,20" + first, "data_offsets of 4 bytes for 'b', got [24, 20]"},
      {f32("[2]", "[0,18446744073709551615]"),
       "data_offsets of 8 bytes for 'a', got [0, 18446744073709551615]"},
  });
}

TEST(SafeTensorsHeader, RefusesShapesThatOverflow) {
  for (const char* shape :
       {"[4294967296,4294967296]", "[9223372036854775807]", "[0,4294967296,4294967296]"})
    EXPECT_EQ(refusal(f32(shape, "[0,0]"), 0), "a shape of less than 2^63 bytes for 'a', got more");
  std::string ones = "1";
  for (int i = 1; i < 64; ++i) ones += ",1";
  EXPECT_EQ(refusal(f32("[" + ones + "]", "[0,4]"), 4), "");
  EXPECT_EQ(refusal(f32("[" + ones + ",1]", "[0,4]"), 4),
            "up to 64 integers as the shape of 'a', got 1");
}

TEST(SafeTensorsHeader, RefusesEndlessBrackets) {
  const std::size_t many = 10'000'000;
  EXPECT_EQ(refusal(R"({"a":{"x":)" + std::string(many, '['), 0),
            "at most 100 nested brackets, got more");
  EXPECT_EQ(refusal(R"({"a":)" + std::string(many, '['), 0), "an object as 'a', got an array");
  EXPECT_EQ(refusal("{" + std::string(many, '{'), 0),
            "JSON in UTF-8 as the header, got an error at byte 2");
}

TEST(SafeTensorsHeader, RefusesALengthBeyondTheFile) {
  const auto answer = [](const std::string& first, std::uint64_t bytes) -> std::string {
    try {
      return std::to_string(safetensors_header_length("FILE", first, bytes));
    } catch (const SafeTensorsError& error) {
      return error.what();
    }
  };
  using namespace std::string_literals;
  const std::string is_not = "'FILE' is not a safetensors file: expected ", cut = "copy it again";
  EXPECT_EQ(answer("\2\1\0\0\0\0\0\0"s, 1000), "258");
  EXPECT_EQ(answer("\2\0\0\0\0\0\0\0"s, 9),
            is_not + "a header of 2 bytes, got 1 byte; it was cut short, " + cut);
  EXPECT_EQ(answer(std::string(8, '\xff'), 1000),
            is_not +
                "a header of at most 100000000 bytes, got 18446744073709551615 bytes; give "
                "the path of a safetensors file");
  EXPECT_EQ(answer("", 0),
            is_not +
                "8 bytes with the length of the header, got an empty file; it was cut short, " +
                cut);
}

TEST(SafeTensorsHeader, PrintsWhatItReads) {
  SafeTensorsHeader header;
  header.metadata = {{"\"quoted\"", "line\n"}, {"a", "\xc3\xa4"}};
  header.entries = {{"x", 2, {2, 3}, 0, 24}, {"y\\", 9, {}, 24, 25}};
  const std::string text = print_safetensors_header("FILE", header);
  EXPECT_EQ(text.size() % 8, 0U);
  EXPECT_EQ(safetensors_header_length("FILE", text, text.size() + 25), text.size() - 8);
  const SafeTensorsHeader read = parse_safetensors_header("FILE", text.substr(8), 25);
  EXPECT_EQ(read.metadata, header.metadata);
  EXPECT_EQ(print_safetensors_header("FILE", read), text);
}

TEST(SafeTensorsHeader, DoesNotPrintWhatTheFormatCannotHold) {
  EXPECT_THROW(print_safetensors_header("FILE", {{{"\xff", 0, {}, 0, 8}}, {}}), SafeTensorsError);
  EXPECT_THROW(print_safetensors_header("FILE", {{}, {{"k", "\xff"}}}), SafeTensorsError);
  EXPECT_THROW(print_safetensors_header("FILE", {{{"__metadata__", 0, {}, 0, 8}}, {}}),
               SafeTensorsError);
}

// Accepted headers cover the data, also according to a parser that builds the tree.
void expect_sound(const std::string& json, std::uint64_t data_bytes) {
  if (!refusal(json, data_bytes).empty()) return;
  const SafeTensorsHeader header = parse_safetensors_header("FILE", json, data_bytes);
  const auto tree = nlohmann::json::parse(json);
  std::uint64_t end = 0;
  for (const SafeTensorsEntry& entry : header.entries) {
    const auto& seen = tree.at(entry.name);
    EXPECT_EQ(seen.at("shape"), nlohmann::json(entry.shape));
    EXPECT_EQ(seen.at("dtype"), std::string(kSafeTensorsTypes[entry.type].name));
    EXPECT_EQ(entry.begin, end);
    end = entry.end;
    std::uint64_t bytes = kSafeTensorsTypes[entry.type].bytes;
    for (const std::int64_t size : entry.shape) bytes *= static_cast<std::uint64_t>(size);
    EXPECT_EQ(entry.end - entry.begin, bytes);
  }
  EXPECT_EQ(end, data_bytes);
}

TEST(SafeTensorsHeader, SurvivesMutations) {
  test::Fuzzer fuzz("safetensors headers", 1);
  const std::string two = R"({"__metadata__":{"k":"v"},"b":{"dtype":"I8","shape":[2,0],)"
                          R"("data_offsets":[24,24]},)" +
                          kGood.substr(1);
  const std::vector<std::string> words = {
      "{",      "}",       "[",         "]",         ",",       ":",         "\"",        "0",
      "1",      "24",      "-",         ".",         "e9",      "null",      "\\u0000",   "\xc3",
      "[0,24]", "[24,24]", "\"shape\"", "\"dtype\"", "\"F64\"", "\"x\":{},", "4294967296"};
  fuzz.run([&] {
    std::string json = fuzz.mutated(fuzz.chance(0.5) ? kGood : two, words);
    if (fuzz.chance(0.3)) json = fuzz.words(words, fuzz.below(40));
    fuzz.timed(json, [&] { expect_sound(json, fuzz.chance(0.9) ? 24 : fuzz.below(100)); });
  });
}

}  // namespace
}  // namespace lcsm
