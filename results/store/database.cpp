#include "results/store/database.h"

#include <sqlite3.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <iterator>

#include "lcsm/files/whole_file.h"
#include "results/text/grid.h"
#include "results/text/number_text.h"

namespace results {
namespace {

constexpr int kPrimaryBits = 0xff;  // of a result code; extended ones have more

// A reached quota is one, too.
constexpr int kFailedWrites[] = {SQLITE_IOERR_WRITE, SQLITE_IOERR_FSYNC, SQLITE_IOERR_DIR_FSYNC,
                                 SQLITE_IOERR_TRUNCATE, SQLITE_IOERR_DELETE};

[[noreturn]] void fail(sqlite3* database) {
  const char* name = sqlite3_db_filename(database, "main");
  const std::string file = name == nullptr || *name == '\0' ? "a database" : name;
  const int code = sqlite3_extended_errcode(database);
  const std::string message = file + ": " + sqlite3_errmsg(database);
  if ((code & kPrimaryBits) == SQLITE_FULL)
    throw lcsm::WriteError(ENOSPC, message + "; free some space there, or in TMPDIR");
  if (std::ranges::find(kFailedWrites, code) != std::end(kFailedWrites))
    throw lcsm::WriteError(EIO, message);
  throw DatabaseError(message, code);
}

// SQLite cannot open a file with a longer path.
std::string too_long(const std::filesystem::path& file) {
  constexpr std::size_t kLongest = 504;  // with "-journal" and a zero 512 bytes
  std::error_code unknown;
  const std::size_t bytes = std::filesystem::absolute(file, unknown).native().size();
  return bytes <= kLongest
             ? ""
             : ": its path has " + std::to_string(bytes) + " bytes, more than SQLite's " +
                   std::to_string(kLongest) + "; move it to a shorter one";
}

// SQLite would follow a link, and wait for the other end of a pipe, also beside the database.
void expect_plain(const std::filesystem::path& file) {
  for (const char* end : {"", "-journal", "-wal", "-shm"}) {
    const std::filesystem::path each = file.string() + end;
    std::error_code missing;
    const std::filesystem::file_status found = std::filesystem::symlink_status(each, missing);
    if (!std::filesystem::exists(found) || std::filesystem::is_regular_file(found)) continue;
    const bool link = std::filesystem::is_symlink(found);
    throw DatabaseError(each.string() +
                            (link ? " is a symbolic link, which is not followed"
                                  : " is neither a file nor missing") +
                            ": expected a file or nothing; `lcsm rebuild` replaces it",
                        SQLITE_CANTOPEN);
  }
}

}  // namespace

bool DatabaseError::busy() const {
  const int primary = code_ & kPrimaryBits;
  return primary == SQLITE_BUSY || primary == SQLITE_LOCKED;
}

bool DatabaseError::damaged() const {
  const int primary = code_ & kPrimaryBits;
  return primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB;
}

// ----- Database -----

Database::Database(const std::filesystem::path& file, Mode mode,
                   std::chrono::milliseconds patience) {
  expect_plain(file);
  const int flags =
      mode == Mode::kRead ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  const int code = sqlite3_open_v2(file.c_str(), &handle_, flags | SQLITE_OPEN_NOMUTEX, nullptr);
  if (code != SQLITE_OK) {
    const std::string said = sqlite3_errmsg(handle_) + too_long(file);
    sqlite3_close(handle_);
    throw DatabaseError(file.string() + ": " + said, code);
  }
  sqlite3_busy_timeout(handle_, static_cast<int>(patience.count()));
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_ENABLE_FKEY, 1, nullptr);
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  // A database from somebody else may have triggers, and views that call functions with side
  // effects.
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
}

Database::~Database() { sqlite3_close(handle_); }

void Database::run(const std::string& sql) {
  if (sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) fail(handle_);
}

std::int64_t Database::integer(const std::string& sql) {
  Statement statement(*this, sql);
  return statement.step() ? statement.integer(0) : 0;
}

std::string Database::text(const std::string& sql) {
  Statement statement(*this, sql);
  return statement.step() ? statement.text(0) : "";
}

void Database::copy_to(Database& target) {
  constexpr int kAllPages = -1;
  sqlite3_backup* backup = sqlite3_backup_init(target.handle_, "main", handle_, "main");
  if (backup == nullptr) fail(target.handle_);
  const int code = sqlite3_backup_step(backup, kAllPages);
  sqlite3_backup_finish(backup);
  if (code != SQLITE_DONE)
    throw DatabaseError(std::string("a database cannot be copied: ") + sqlite3_errstr(code), code);
}

// ----- Statement -----

Statement::Statement(const Database& database, std::string_view sql)
    : database_(database.handle()) {
  const char* rest = nullptr;
  const int code =
      sqlite3_prepare_v2(database_, sql.data(), static_cast<int>(sql.size()), &handle_, &rest);
  if (code != SQLITE_OK) fail(database_);
  left_over_ = sql.substr(static_cast<std::size_t>(rest - sql.data()));
}

Statement::~Statement() { sqlite3_finalize(handle_); }

void Statement::bind(int at, std::int64_t value) {
  if (sqlite3_bind_int64(handle_, at, value) != SQLITE_OK) fail(database_);
}

void Statement::bind(int at, double value) {
  if (sqlite3_bind_double(handle_, at, value) != SQLITE_OK) fail(database_);
}

void Statement::bind(int at, std::string_view value) {
  const auto size = static_cast<sqlite3_uint64>(value.size());
  // A null pointer would bind NULL, not the empty text.
  const char* bytes = value.empty() ? "" : value.data();
  if (sqlite3_bind_text64(handle_, at, bytes, size, SQLITE_TRANSIENT, SQLITE_UTF8) != SQLITE_OK)
    fail(database_);
}

void Statement::bind_null(int at) {
  if (sqlite3_bind_null(handle_, at) != SQLITE_OK) fail(database_);
}

bool Statement::step() {
  const int code = sqlite3_step(handle_);
  if (code != SQLITE_ROW && code != SQLITE_DONE) fail(database_);
  return code == SQLITE_ROW;
}

void Statement::reset() { sqlite3_reset(handle_); }

int Statement::columns() const { return sqlite3_column_count(handle_); }

std::string Statement::name(int column) const { return sqlite3_column_name(handle_, column); }

bool Statement::is_null(int column) const { return type(column) == SQLITE_NULL; }

std::int64_t Statement::integer(int column) const { return sqlite3_column_int64(handle_, column); }

double Statement::real(int column) const {
  return is_null(column) ? std::nan("") : sqlite3_column_double(handle_, column);
}

// SQLite prints 15 digits of a real number, which another number may share.
std::string Statement::text(int column) const {
  const bool is_real = type(column) == SQLITE_FLOAT;
  const double value = is_real ? real(column) : 0;
  const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(handle_, column));
  if (bytes == nullptr) return "";
  const std::string text{bytes, static_cast<std::size_t>(sqlite3_column_bytes(handle_, column))};
  return is_real && number_in(text) != value ? cell_text(value) : text;
}

std::vector<std::string> Statement::texts() {
  std::vector<std::string> all;
  while (step()) all.push_back(text(0));
  return all;
}

int Statement::type(int column) const { return sqlite3_column_type(handle_, column); }

// ----- Transaction -----

Transaction::Transaction(Database& database) : database_(database) {
  database_.run("BEGIN IMMEDIATE");
}

Transaction::~Transaction() {
  if (open_) sqlite3_exec(database_.handle(), "ROLLBACK", nullptr, nullptr, nullptr);
}

void Transaction::commit() {
  database_.run("COMMIT");
  open_ = false;
}

}  // namespace results
