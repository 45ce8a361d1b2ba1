// SQLite in three small classes: a connection, a statement, a transaction.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace results {

// "results.db: SQLite's message".
class DatabaseError : public std::runtime_error {
 public:
  DatabaseError(const std::string& message, int code) : std::runtime_error(message), code_(code) {}
  int code() const { return code_; }  // SQLite's result code
  bool busy() const;                  // another connection holds a lock
  bool damaged() const;               // the file is not a database, or not a whole one

 private:
  int code_;
};

// Not thread-safe: one thread at a time may use it.
class Database {
 public:
  enum class Mode { kRead, kWrite };  // kWrite creates a missing file

  // ":memory:" is a private one. Waits up to `patience` for the locks of other processes. Foreign
  // keys are enforced.
  Database(const std::filesystem::path& file, Mode mode,
           std::chrono::milliseconds patience = std::chrono::minutes(1));
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  void run(const std::string& sql);              // one or more statements; rows are discarded
  std::int64_t integer(const std::string& sql);  // the first value of the first row
  std::string text(const std::string& sql);
  void copy_to(Database& target);  // replaces the target's content
  sqlite3* handle() const { return handle_; }

 private:
  sqlite3* handle_ = nullptr;
};

class Statement {
 public:
  Statement(const Database& database, std::string_view sql);
  template <class... Values>
  Statement(const Database& database, std::string_view sql, const Values&... values)
      : Statement(database, sql) {
    bind_all(values...);
  }
  ~Statement();
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  // Parameters are numbered from 1 and survive reset().
  void bind(int at, std::int64_t value);
  void bind(int at, double value);  // NaN becomes NULL
  void bind(int at, std::string_view value);
  void bind_null(int at);

  template <class... Values>
  void bind_all(const Values&... values) {
    int at = 0;
    (bind_one(++at, values), ...);
  }

  bool step();   // true: there is a row
  void reset();  // back to the start
  template <class... Values>
  void once(const Values&... values) {  // bind, step and reset
    bind_all(values...);
    step();
    reset();
  }

  // Columns of the current row, numbered from 0.
  int columns() const;
  std::string name(int column) const;
  bool is_null(int column) const;
  std::int64_t integer(int column) const;
  double real(int column) const;
  std::string text(int column) const;
  std::vector<std::string> texts();  // the first column of all further rows
  int type(int column) const;        // SQLITE_INTEGER ...

  sqlite3_stmt* handle() const { return handle_; }           // null for SQL without a statement
  std::string_view left_over() const { return left_over_; }  // SQL after the statement

 private:
  template <class Value>
  void bind_one(int at, const Value& value) {
    if constexpr (std::is_integral_v<Value>)
      bind(at, static_cast<std::int64_t>(value));
    else
      bind(at, value);
  }

  sqlite3* database_;
  sqlite3_stmt* handle_ = nullptr;
  std::string_view left_over_;
};

// Takes the write lock; the destructor rolls back whatever was not committed.
class Transaction {
 public:
  explicit Transaction(Database& database);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit();

 private:
  Database& database_;
  bool open_ = true;
};

}  // namespace results
