#include "results/store/query.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "tests/message_of.h"

namespace results {
namespace {

class Query : public testing::Test {
 protected:
  Query() {
    database.run(
        "CREATE TABLE t (a, b); CREATE INDEX i ON t (a); INSERT INTO t VALUES (1, 'x'), (NULL, "
        "2.5)");
  }

  std::string refusal(const std::string& sql) {
    return message_of([&] { answer_query(database, sql); });
  }

  Database database{":memory:", Database::Mode::kWrite};
};

}  // namespace

TEST_F(Query, ReturnsColumnsAndValues) {
  const Grid grid = answer_query(database, "SELECT a, b AS c FROM t;\n");
  EXPECT_EQ(grid.headers, (std::vector<std::string>{"a", "c"}));
  EXPECT_EQ(grid.rows[0], (std::vector<Cell>{std::int64_t{1}, std::string("x")}));
  EXPECT_EQ(grid.rows[1], (std::vector<Cell>{std::monostate{}, 2.5}));
  EXPECT_EQ(answer_query(database, "PRAGMA table_info(t)").rows.size(), 2u);
}

TEST_F(Query, RefusesEverythingThatWrites) {
  for (const char* sql :
       {"DELETE FROM t", "INSERT INTO t VALUES (1, 2)", "UPDATE t SET a = 1", "DROP TABLE t",
        "CREATE TABLE u (x)", "CREATE TEMP TABLE u (x)", "VACUUM", "VACUUM INTO 'x.db'",
        "ATTACH 'x.db' AS x", "PRAGMA user_version = 9", "PRAGMA journal_mode = WAL", "BEGIN",
        "WITH x AS (SELECT 1) DELETE FROM t", "REINDEX", "ANALYZE", "PRAGMA writable_schema = 1",
        "SELECT load_extension('x')", "EXPLAIN DELETE FROM t"})
    EXPECT_NE(refusal(sql), "") << sql;
  EXPECT_EQ(database.integer("SELECT count(*) FROM t"), 2);
  EXPECT_NO_THROW(database.run("INSERT INTO t VALUES (3, 3)"));  // writing is allowed again
}

TEST_F(Query, SaysWhatIsWrong) {
  EXPECT_EQ(refusal(" ; "), "expected an SQL statement, got none");
  EXPECT_EQ(refusal("SELECT 1; SELECT 2"), "expected one statement, got more after it");
  EXPECT_EQ(refusal("SELECT absent FROM t"),
            "a database: no such column: absent; `lcsm query --help` shows views and examples");
}

}  // namespace results
