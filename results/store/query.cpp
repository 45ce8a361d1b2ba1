#include "results/store/query.h"

#include <sqlite3.h>

#include <set>
#include <stdexcept>
#include <string_view>

namespace results {
namespace {

// True for pragmas that change nothing.
bool is_harmless_pragma(const char* name, const char* argument) {
  static const std::set<std::string_view> kAbout = {
      "table_info",      "table_xinfo", "table_list",       "index_list",
      "index_info",      "index_xinfo", "foreign_key_list", "foreign_key_check",
      "integrity_check", "quick_check", "function_list",    "compile_options",
  };
  if (name == nullptr) return false;
  if (kAbout.contains(name)) return true;
  return argument == nullptr &&
         (std::string_view(name) == "user_version" || std::string_view(name) == "journal_mode");
}

int only_reading(void*, int action, const char* first, const char* second, const char*,
                 const char*) {
  switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_RECURSIVE:
      return SQLITE_OK;
    case SQLITE_FUNCTION:
      return second != nullptr && std::string_view(second) == "load_extension" ? SQLITE_DENY
                                                                               : SQLITE_OK;
    case SQLITE_PRAGMA:
      return is_harmless_pragma(first, second) ? SQLITE_OK : SQLITE_DENY;
    default:
      return SQLITE_DENY;
  }
}

// While it exists, the database refuses statements that do not only read.
class ReadingOnly {
 public:
  explicit ReadingOnly(Database& database) : database_(database) {
    sqlite3_set_authorizer(database_.handle(), only_reading, nullptr);
  }
  ~ReadingOnly() { sqlite3_set_authorizer(database_.handle(), nullptr, nullptr); }
  ReadingOnly(const ReadingOnly&) = delete;
  ReadingOnly& operator=(const ReadingOnly&) = delete;

 private:
  Database& database_;
};

Cell cell_of(const Statement& row, int column) {
  switch (row.type(column)) {
    case SQLITE_NULL:
      return {};
    case SQLITE_INTEGER:
      return row.integer(column);
    case SQLITE_FLOAT:
      return row.real(column);
    default:
      return row.text(column);
  }
}

bool is_blank(std::string_view sql) {
  return sql.find_first_not_of(" \t\r\n;") == std::string_view::npos;
}

}  // namespace

Grid rows_of(Statement& statement) {
  Grid grid;
  for (int i = 0; i < statement.columns(); ++i) grid.headers.push_back(statement.name(i));
  while (statement.step()) {
    auto& row = grid.rows.emplace_back();
    for (int i = 0; i < statement.columns(); ++i) row.push_back(cell_of(statement, i));
  }
  return grid;
}

Grid answer_query(Database& database, const std::string& sql) {
  const ReadingOnly only(database);
  try {
    Statement statement(database, sql);
    if (statement.handle() == nullptr)
      throw std::invalid_argument("expected an SQL statement, got none");
    if (!is_blank(statement.left_over()))
      throw std::invalid_argument("expected one statement, got more after it");
    if (sqlite3_stmt_readonly(statement.handle()) == 0)
      throw std::invalid_argument("expected a read-only statement, got one that writes");
    return rows_of(statement);
  } catch (const DatabaseError& error) {
    if (error.code() == SQLITE_AUTH)
      throw std::invalid_argument(
          "expected a statement that only reads results.db, got another one; copy "
          "the file to change it");
    if (error.code() == SQLITE_ERROR)
      throw std::invalid_argument(error.what() +
                                  std::string("; `lcsm query --help` shows views and examples"));
    throw;
  }
}

}  // namespace results
