#include "results/published/published.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <numeric>
#include <random>
#include <vector>

#include "lcsm/code/wikitext.h"
#include "results/store/published_rows.h"
#include "results/store/schema.h"
#include "tests/message_of.h"

namespace results {
namespace {

const std::string kHeader = "paper,table,row,task,metric,split,value,params_m,note\n";

std::string refusal(const std::string& csv) {
  return message_of<std::invalid_argument>([&] { parse_published(csv); });
}

std::string millions(std::int64_t parameters) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", static_cast<double>(parameters) / 1e6);
  return text;
}

// "1-1-1-0 (9 layers)" is a row of the code 1-1-1-0.
std::string code_of(const PublishedValue& value) {
  return value.row.substr(0, value.row.find(' '));
}

}  // namespace

TEST(Published, RefusesInvalidTablesAndNamesTheLine) {
  EXPECT_NE(refusal("paper,table\n").find("line 1: expected the header"), std::string::npos);
  EXPECT_NE(refusal(kHeader + "a,b,c\n").find("line 2: expected 9 fields, got 3"),
            std::string::npos);
  EXPECT_NE(refusal(kHeader + "a,b,c,d,e,f,1x,,\n").find("'1x' is not a number"),
            std::string::npos);
  EXPECT_NE(refusal(kHeader + "a,b,c,d,e,f,1,,\"x\n").find("a quote is not closed"),
            std::string::npos);
}

// LCSM_FUZZ sets the number of files, 20 000 by default.
TEST(Published, MutatedFilesAreReadOrRefused) {
  const char* requested = std::getenv("LCSM_FUZZ");
  const int rounds = requested != nullptr ? std::atoi(requested) : 20000;
  const std::string good = kHeader + "a,b,c,d,e,f,1.5,43.46,\"x, y\"\na,b,c,d,e,f,2,,\n";
  std::mt19937 random(9);
  for (int round = 0; round < rounds; ++round) {
    std::string text = good;
    for (int i = 0; i < 3; ++i)
      text[kHeader.size() + random() % (text.size() - kHeader.size())] = ",\"\n.x1"[random() % 6];
    EXPECT_NO_THROW(refusal(text)) << text;
  }
}

TEST(Published, ReadsQuotedFields) {
  const auto values = parse_published(kHeader + "a,b,c,d,e,f,1.5,43.46,\"x, \"\"y\"\"\"\n");
  ASSERT_EQ(values.size(), 1u);
  EXPECT_EQ(values[0].note, "x, \"y\"");
  EXPECT_EQ(values[0].value, 1.5);
}

TEST(Published, NamesCodesThatExist) {
  const lcsm::Catalogue catalogue;
  for (const PublishedValue& value : published_values())
    if (value.paper == "lcsm") {
      EXPECT_NO_THROW(lcsm::parse_code(code_of(value), catalogue)) << value.row;
    }
}

TEST(Published, TotalsAgreeWithSomeDepth) {
  const lcsm::Catalogue catalogue;
  for (const PublishedValue& value : published_values()) {
    if (value.paper != "lcsm" || value.params_m.empty()) continue;
    const lcsm::Variant variant =
        lcsm::make_variant(lcsm::parse_code(code_of(value), catalogue), catalogue);
    bool found = false;
    for (const int layers : {9, 10, 11}) {
      const auto total = lcsm::model_parameters(variant, {50265, layers}).total();
      found = found || std::abs(std::stod(millions(total)) - std::stod(value.params_m)) < 1e-9;
    }
    EXPECT_TRUE(found) << value.row << " " << value.params_m;
  }
}

TEST(Published, HasEveryPaperAndTheSourceOfEachTable) {
  std::map<std::string, int> values;
  for (const PublishedValue& value : published_values()) {
    ++values[value.paper];
    EXPECT_FALSE(value.read_in.empty()) << value.paper << "/" << value.table;
  }
  EXPECT_EQ(values, (std::map<std::string, int>{
                        {"lcsm", 94}, {"etsmlp", 105}, {"mega", 141}, {"s4pp", 184}}));
}

// A table shows the paper's number where there is one.
TEST(Published, HasOneValueForEachCellOfATable) {
  std::map<std::string, int> values;
  for (const PublishedValue& v : published_values())
    ++values[v.paper + "/" + v.table + " " + v.row + " " + v.task + " " + v.split + "." + v.metric];
  for (const auto& [cell, count] : values) EXPECT_EQ(count, 1) << cell;
}

TEST(Published, IsInTheDatabaseOnce) {
  Database database(":memory:", Database::Mode::kWrite);
  migrate(database);
  store_published(database);
  database.run("UPDATE published SET note = 'kept' WHERE number = 1");
  store_published(database);
  EXPECT_EQ(database.integer("SELECT count(*) FROM published WHERE note = 'kept'"), 1);
  database.run("UPDATE brought SET crc = 0");  // of another version
  store_published(database);
  EXPECT_EQ(database.integer("SELECT count(*) FROM published"),
            static_cast<std::int64_t>(published_values().size()));
}

// A printed mean that differs from the mean of its printed parts is a misprint and has a note.
// Where a note says so, Path-X counts 50, the score of a guess. A mean called score is over several
// metrics.
TEST(Published, NotesMeansThatDoNotAgree) {
  std::map<std::string, std::vector<double>> parts;
  const auto key = [](const PublishedValue& v, const std::string& metric) {
    return v.paper + v.table + v.row + metric + v.params_m;
  };
  for (const PublishedValue& value : published_values())
    if (!value.task.ends_with("-avg"))
      for (const std::string& metric : {value.metric, std::string("score")})
        parts[key(value, metric)].push_back(value.value);
  for (const PublishedValue& value : published_values()) {
    if (!value.task.ends_with("-avg")) continue;
    const std::vector<double>& of_row = parts[key(value, value.metric)];
    const double mean =
        std::accumulate(of_row.begin(), of_row.end(), 0.0) / static_cast<double>(of_row.size());
    const bool agrees = std::abs(mean - value.value) < 0.0101;  // parts and mean are rounded
    EXPECT_EQ(agrees, value.note.empty()) << value.paper << " " << value.row << " " << mean;
  }
}

}  // namespace results
