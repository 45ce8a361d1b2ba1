#include "results/store/database.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <cmath>

#include "tests/message_of.h"
#include "tests/results/fixture.h"

namespace results {

TEST(Database, KeepsValuesOfEveryKind) {
  Database database(":memory:", Database::Mode::kWrite);
  database.run("CREATE TABLE t (a, b, c, d, e)");
  Statement insert(database, "INSERT INTO t VALUES (?, ?, ?, ?, ?)");
  insert.bind_all(std::int64_t{7}, 0.5, std::string_view("x\0y", 3), std::nan(""),
                  std::string_view());
  insert.once();
  Statement select(database, "SELECT * FROM t");
  ASSERT_TRUE(select.step());
  EXPECT_EQ(select.integer(0), 7);
  EXPECT_EQ(select.real(1), 0.5);
  EXPECT_EQ(select.text(2), std::string("x\0y", 3));
  EXPECT_TRUE(select.is_null(3));
  EXPECT_EQ(select.type(4), SQLITE_TEXT);
}

TEST(Database, ReportsSqlitesMessage) {
  Database database(":memory:", Database::Mode::kWrite);
  try {
    database.run("SELECT absent");
    FAIL();
  } catch (const DatabaseError& error) {
    EXPECT_STREQ(error.what(), "a database: no such column: absent");
    EXPECT_EQ(error.code(), SQLITE_ERROR);
  }
  EXPECT_THROW(Database("/no/such/file", Database::Mode::kRead), DatabaseError);
}

// The longest path that SQLite accepts, journal included; one more byte is reported as too long.
TEST(Database, ReportsAPathThatIsTooLong) {
  constexpr std::size_t kLongest = 504, kName = 100;
  const Scratch scratch;
  std::filesystem::path folder = scratch.path();
  while (folder.native().size() + 2 * kName < kLongest) folder /= std::string(kName, 'd');
  std::filesystem::create_directories(folder);
  const auto file_of = [&](std::size_t bytes) {
    return folder / std::string(bytes - folder.native().size() - 1, 'f');
  };
  Database database(file_of(kLongest), Database::Mode::kWrite);
  database.run("CREATE TABLE t (a); INSERT INTO t VALUES (1)");
  try {
    const Database longer(file_of(kLongest + 1), Database::Mode::kWrite);
    FAIL();
  } catch (const DatabaseError& error) {
    EXPECT_NE(std::string(error.what()).find("its path has 505 bytes, more than SQLite's 504"),
              std::string::npos)
        << error.what();
  }
}

TEST(Database, EnforcesForeignKeys) {
  Database database(":memory:", Database::Mode::kWrite);
  database.run("CREATE TABLE a (x PRIMARY KEY); CREATE TABLE b (x REFERENCES a)");
  EXPECT_THROW(database.run("INSERT INTO b VALUES (1)"), DatabaseError);
}

// A database from somebody else, with a trigger on our writes.
TEST(Database, RunsNoTriggers) {
  const Scratch scratch;
  const std::string file = scratch.path() / "sent.db";
  sqlite3* sent = nullptr;
  ASSERT_EQ(sqlite3_open(file.c_str(), &sent), SQLITE_OK);
  sqlite3_exec(sent,
               "CREATE TABLE t (a); CREATE TABLE hit (a); CREATE TRIGGER x AFTER INSERT ON t BEGIN "
               "INSERT INTO hit VALUES (1); END;",
               nullptr, nullptr, nullptr);
  sqlite3_close(sent);
  Database database(file, Database::Mode::kWrite);
  database.run("INSERT INTO t VALUES (1)");
  EXPECT_EQ(database.integer("SELECT count(*) FROM t"), 1);
  EXPECT_EQ(database.integer("SELECT count(*) FROM hit"), 0);
}

// A database from somebody else, with views that call functions with side effects.
TEST(Database, RunsNoFunctionThatActsForAView) {
  const Scratch scratch;
  const std::string file = scratch.path() / "sent.db";
  sqlite3* sent = nullptr;
  ASSERT_EQ(sqlite3_open(file.c_str(), &sent), SQLITE_OK);
  sqlite3_exec(sent,
               "CREATE VIEW overview AS SELECT act() AS id;"
               "CREATE VIEW seeds AS SELECT load_extension('/tmp/sent.so') AS id;",
               nullptr, nullptr, nullptr);
  sqlite3_close(sent);
  Database database(file, Database::Mode::kWrite);
  int acts = 0;
  const auto act = [](sqlite3_context* context, int, sqlite3_value**) {
    ++*static_cast<int*>(sqlite3_user_data(context));
  };
  sqlite3_create_function(database.handle(), "act", 0, SQLITE_UTF8, &acts, act, nullptr, nullptr);
  database.text("SELECT act()");
  EXPECT_EQ(acts, 1);
  for (const char* sql : {"SELECT * FROM overview", "SELECT * FROM seeds"})
    EXPECT_NE(message_of<DatabaseError>([&] { database.text(sql); }).find("unsafe use of "),
              std::string::npos)
        << sql;
  EXPECT_EQ(acts, 1);
}

TEST(Transaction, IsRolledBackUnlessCommitted) {
  Database database(":memory:", Database::Mode::kWrite);
  database.run("CREATE TABLE t (a)");
  {
    const Transaction transaction(database);
    database.run("INSERT INTO t VALUES (1)");
  }
  EXPECT_EQ(database.integer("SELECT count(*) FROM t"), 0);
  Transaction transaction(database);
  database.run("INSERT INTO t VALUES (1)");
  transaction.commit();
  EXPECT_EQ(database.integer("SELECT count(*) FROM t"), 1);
}

}  // namespace results
