#include "runner/data/own/table_file.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "tests/message_of.h"

namespace runner {
namespace {

const std::vector<TableColumn> kColumns = {{"text", "task.text"}, {"label", "task.label"}};

std::vector<TableRow> read(const char* name, const std::string& bytes) {
  return read_table(name, bytes, kColumns);
}

std::string refusal_of_table_file(const char* name, const std::string& bytes) {
  return message_of<IntakeError>([&] { read(name, bytes); });
}

using Fields = std::vector<std::string>;

}  // namespace

TEST(TableFile, ReadsQuotesLineEndsAndOtherColumns) {
  const auto rows = read("a.csv",
                         "\xef\xbb\xbflabel,id,text\r\n"
                         "good,1,\"it, \"\"really\"\"\nworks\"\r\n"
                         "\n"
                         "bad,,\"\"");
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].line, 2u);
  EXPECT_EQ(rows[0].fields, (Fields{"it, \"really\"\nworks", "good"}));
  EXPECT_EQ(rows[1].line, 5u);
  EXPECT_EQ(rows[1].fields, (Fields{"", "bad"}));
}

TEST(TableFile, AColumnMayBeReadTwice) {
  const std::vector<TableColumn> same = {{"text", "task.text"}, {"text", "task.label"}};
  const Fields expected(2, "good");
  EXPECT_EQ(read_table("a.csv", "text\n" + expected[0] + "\n", same).at(0).fields, expected);
  EXPECT_EQ(read_table("a.jsonl", "{\"text\": \"" + expected[0] + "\"}\n", same).at(0).fields,
            expected);
}

TEST(TableFile, ReadsWideTables) {
  const std::string wide(200'000, ',');
  std::string text = "text,label" + wide + "\n";
  for (int i = 0; i < 20; ++i) text += "a,b" + wide + "\r\n";
  EXPECT_EQ(read("a.csv", text).size(), 20u);
  const std::string refused = refusal_of_table_file("a.csv", "id" + wide + "\n");
  EXPECT_TRUE(refused.ends_with(", '', '' and 199991 more")) << refused.substr(0, 200);
}

TEST(TableFile, FieldsBetweenTabsHaveNoQuotes) {
  const auto rows = read("a.tsv", "text\tlabel\nsay \"no\", \"\t1\n");
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].fields, (Fields{"say \"no\", \"", "1"}));
}

TEST(TableFile, ReadsObjectsLineByLine) {
  const auto rows = read("a.jsonl",
                         "{\"label\": 3, \"text\": \"a\\n\\u00e9\"}\n\n"
                         "{\"text\": \"b\", \"label\": true, \"more\": [1, {}]}");
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].fields, (Fields{"a\n\xc3\xa9", "3"}));
  EXPECT_EQ(rows[1].line, 3u);
  EXPECT_EQ(rows[1].fields, (Fields{"b", "true"}));
}

TEST(TableFile, SaysWhatIsWrongInWhichLine) {
  EXPECT_EQ(refusal_of_table_file("a.csv", "txt,label\na,1\n"),
            "'a.csv':1: expected a column 'text' (task.text names it), got 'txt', 'label'");
  EXPECT_EQ(refusal_of_table_file("a.csv", "text,label,text\n"),
            "'a.csv':1: expected one column 'text', got 'text', 'label', 'text'");
  EXPECT_EQ(refusal_of_table_file("a.csv", "text,label\na,1\nb\n"),
            "'a.csv':3: expected 2 fields, as in the first line, got 1");
  EXPECT_EQ(refusal_of_table_file("a.csv", "text,label\na,1\n\"b,2\nc,3\n"),
            "'a.csv':3: expected a closing quote of the field that begins 'b,2\\nc,3\\n', got "
            "the end of the file");
  EXPECT_EQ(refusal_of_table_file("a.csv", "text,label\na \"b\",1\n"),
            "'a.csv':2: expected quotes doubled, in a field between quotes, got 'a \"b\"'");
  EXPECT_EQ(refusal_of_table_file("a.csv", "text,label\n\"a\"b,1\n"),
            "'a.csv':2: expected the end of the field after its closing quote, got 'b,1'");
  EXPECT_EQ(refusal_of_table_file("a.tsv", "text\tlabel\na\t1\nb\xe9\t2\n"),
            "'a.tsv':3: expected text in UTF-8 (iconv converts others), got the byte 233");
  EXPECT_EQ(refusal_of_table_file("a.csv", ""),
            "'a.csv':1: expected the names of the columns, got nothing");
}

TEST(TableFile, SaysWhatIsWrongInAnObject) {
  EXPECT_EQ(refusal_of_table_file("a.jsonl", "{\"text\": \"a\"}"),
            "'a.jsonl':1: expected a field 'label' (task.label names it), got 'text'");
  EXPECT_EQ(refusal_of_table_file("a.jsonl", "\n{\"text\": 1.5, \"label\": 1}"),
            "'a.jsonl':2: expected a string, an integer, true or false as 'text', got number");
  EXPECT_EQ(refusal_of_table_file("a.jsonl",
                                  R"({"text": "a", "label": 1, "x": {"text": "b"}, "text": "c"})"),
            "'a.jsonl':1: expected the field 'text' once, got it 2 times");
  EXPECT_EQ(refusal_of_table_file("a.jsonl", "{\"text\": \"a\", "),
            "'a.jsonl':1: expected a JSON object in the line, such as {\"text\": \"...\"}, got "
            "'{\"text\": \"a\", '");
}

// LCSM_FUZZ sets the number of files of each format, 2000 by default.
TEST(TableFile, MutatedFilesAreReadOrRefused) {
  const char* const requested = std::getenv("LCSM_FUZZ");
  const int rounds = requested != nullptr ? std::atoi(requested) : 2000;
  const std::vector<std::pair<const char*, std::string>> good = {
      {"a.csv", "label,text\r\n1,\"a, \"\"b\"\"\"\n0,\xc3\xa9\n"},
      {"a.tsv", "text\tlabel\na \"b\t1\nc\t0\n"},
      {"a.jsonl", "{\"text\": \"a\\u00e9\", \"label\": 1}\n{\"label\": [{}], \"text\": \"b\"}\n"}};
  std::mt19937 random(7);
  const auto below = [&](std::size_t n) { return random() % n; };
  int refused = 0;
  for (int round = 0; round < rounds; ++round)
    for (const auto& [name, bytes] : good) {
      std::string other = bytes;
      for (std::size_t i = 0; i <= below(3); ++i)
        other[below(other.size())] =
            below(2) == 0 ? static_cast<char>(below(256)) : "\",\t\n\r{}[]\\"[below(10)];
      if (below(4) == 0) other.resize(below(other.size() + 1));
      refused += !refusal_of_table_file(name, other).empty();
    }
  EXPECT_GT(refused, rounds / 2);
}

}  // namespace runner
