#include "results/store/schema.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>

#include "results/store/fold.h"
#include "results/store/store.h"
#include "tests/message_of.h"
#include "tests/results/fixture.h"
#include "tests/results/store/dump.h"
#include "tests/source_folder.h"

namespace results {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 2> kTwo = {"CREATE TABLE a (x)",
                                                  "ALTER TABLE a ADD COLUMN y DEFAULT 7"};

std::string refusal_of_schema(Database& database) {
  return message_of<std::runtime_error>([&] { migrate(database, std::span(kTwo).first(1)); });
}

}  // namespace

TEST(Schema, MigratesFromEachVersionToTheNext) {
  Database database(":memory:", Database::Mode::kWrite);
  migrate(database, std::span(kTwo).first(1));
  database.run("INSERT INTO a VALUES (1)");
  migrate(database, kTwo);
  EXPECT_EQ(database.integer("SELECT y FROM a"), 7);
  EXPECT_EQ(database.integer("PRAGMA user_version"), 2);
  migrate(database, kTwo);  // nothing to do
}

TEST(Schema, RefusesANewerDatabaseAndThoseOfOtherPrograms) {
  Database newer(":memory:", Database::Mode::kWrite);
  migrate(newer, kTwo);
  EXPECT_NE(refusal_of_schema(newer).find("version 1 or older, got 2: use the newer lcsm"),
            std::string::npos);
  Database foreign(":memory:", Database::Mode::kWrite);
  foreign.run("CREATE TABLE mine (x)");
  EXPECT_EQ(refusal_of_schema(foreign), "expected a results.db, got a database of another program");
}

TEST(Schema, AFailedMigrationLeavesTheOldVersion) {
  Database database(":memory:", Database::Mode::kWrite);
  migrate(database, std::span(kTwo).first(1));
  const std::array<std::string_view, 2> broken = {kTwo[0],
                                                  "CREATE TABLE b (x); CREATE TABLE a (x)"};
  EXPECT_THROW(migrate(database, broken), DatabaseError);
  EXPECT_EQ(database.integer("SELECT count(*) FROM sqlite_master"), 1);
  EXPECT_EQ(database.integer("PRAGMA user_version"), 1);
}

// golden/results-N.db was made by the program of version N from the runs of golden_runs().
TEST(Schema, EveryOldDatabaseBecomesTheNewest) {
  const fs::path golden = source_folder() / "tests/results/golden";
  if (!fs::exists(golden)) GTEST_SKIP() << "source tree not found: " << source_folder();
  const Scratch fresh;
  golden_runs(fresh.path());
  fold(fresh.path());
  const std::string wanted = dump(fresh.path());
  if (std::getenv("LCSM_NEW_GOLDEN") != nullptr)
    fs::copy(fresh.path() / kDatabaseFile,
             golden / ("results-" + std::to_string(schema_scripts().size()) + ".db"),
             fs::copy_options::skip_existing);
  for (std::size_t version = 1; version <= schema_scripts().size(); ++version) {
    const Scratch scratch;
    fs::copy(golden / ("results-" + std::to_string(version) + ".db"),
             scratch.path() / kDatabaseFile);
    EXPECT_EQ(open_for_writing(scratch.path())->integer("PRAGMA user_version"),
              static_cast<std::int64_t>(schema_scripts().size()));
    EXPECT_EQ(dump(scratch.path()), wanted) << "version " << version;
  }
}

TEST(Schema, RunsOfAnOldDatabaseHaveTheirPoints) {
  Database database(":memory:", Database::Mode::kWrite);
  migrate(database, schema_scripts().first(4));
  database.run(
      "INSERT INTO runs VALUES (1, 'a', '{\"model.d\":64,\"seed\":2}', 'done', 1, 1, '', 0), "
      "(2, 'b', '', 'done', 1, 1, '', 0)");
  migrate(database);
  EXPECT_EQ(database.text("SELECT point FROM runs WHERE run = 1"), R"({"model.d":64})");
  EXPECT_EQ(database.integer("SELECT point IS NULL FROM runs WHERE run = 2"), 1);
}

// The standard deviation equals numpy's std with ddof = 1.
TEST(Schema, SeedsHaveTheirSpread) {
  const Scratch scratch;
  int number = 0;
  for (const double valid : {24.0, 25.0, 27.5})
    write_run(scratch.path(),
              {.number = ++number,
               .valid = {valid},
               .identity = R"({"model.d":64,"seed":)" + std::to_string(number) + "}"});
  write_run(scratch.path(), {.number = ++number, .valid = {30}, .identity = R"({"model.d":8})"});
  fold(scratch.path());
  const auto database = open_for_reading(scratch.path());
  Statement row(*database,
                "SELECT n, mean, stddev FROM seeds WHERE metric = 'valid.ppl' ORDER BY n DESC");
  ASSERT_TRUE(row.step());
  EXPECT_EQ(row.integer(0), 3);
  EXPECT_DOUBLE_EQ(row.real(1), 25.5);
  EXPECT_NEAR(row.real(2), 1.8027756377319946, 1e-12);
  ASSERT_TRUE(row.step());
  EXPECT_TRUE(row.is_null(2)) << "one seed";
}

TEST(Schema, ViewsTellGatesOfOneNameApart) {
  const Scratch scratch;
  int number = 0;
  for (const std::string gate : {R"j({"o":"sigmoid(p_k)"})j", R"j({"o":"sigmoid(2 * p_k)"})j"})
    for (const int seed : {1, 2}) {
      const std::string identity =
          R"({"model.oscillation":)" + gate + R"(,"seed":)" + std::to_string(seed) + "}";
      write_run(scratch.path(), {.number = ++number,
                                 .code = "1-mine-1-0",
                                 .seed = seed,
                                 .more = {{"model.oscillation", gate}},
                                 .identity = identity});
    }
  write_run(scratch.path(), {.number = ++number, .identity = R"({"seed":1})"});
  fold(scratch.path());
  for (const std::string view : {"overview", "outcomes", "seeds"})
    EXPECT_EQ(answer(scratch.path(), "SELECT DISTINCT code, oscillation FROM " + view +
                                         " ORDER BY code, oscillation"),
              "1-1-1-0|\n"
              "1-mine-1-0|{\"o\":\"sigmoid(2 * p_k)\"}\n"
              "1-mine-1-0|{\"o\":\"sigmoid(p_k)\"}\n")
        << view;
}

// The README's queries, on runs for which each returns rows.
TEST(Schema, TheReadmesQueriesReturnRows) {
  const std::string readme = read_text(source_folder() / "results/README.md");
  if (readme.empty()) GTEST_SKIP() << "source tree not found: " << source_folder();
  const Scratch scratch;
  golden_runs(scratch.path());
  write_run(scratch.path(), {.number = 17, .code = "1-9-1-0", .sweep = "types", .lr = 0.01});
  for (const int seed : {1, 2, 3})
    write_run(scratch.path(), {.number = 17 + seed,
                               .code = "1-0-1-0",
                               .task = "wikitext-103",
                               .sweep = "types",
                               .seed = seed,
                               .identity = R"({"seed":)" + std::to_string(seed) + "}"});
  fold(scratch.path());
  const std::size_t from = readme.find("```sql\n") + 7;
  std::string block = readme.substr(from, readme.find("```", from) - from);
  int queries = 0;
  for (std::size_t end; (end = block.find(';')) != std::string::npos; block.erase(0, end + 1)) {
    const std::string query = block.substr(0, end);
    EXPECT_NE(answer(scratch.path(), query), "") << query;
    ++queries;
  }
  EXPECT_EQ(queries, 10);
}

}  // namespace results
