#include <poll.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <system_error>

#include "results/proofs/proof_files.h"
#include "results/proofs/workspace.h"

namespace results {
namespace {

struct Database {
  std::string path, vfs;
};

// ----- One connection -----

class Connection {
 public:
  explicit Connection(const Database& at) {
    sqlite3_open_v2(at.path.c_str(), &db_, SQLITE_OPEN_READWRITE,
                    at.vfs.empty() ? nullptr : at.vfs.c_str());
    run("PRAGMA journal_mode = MEMORY");  // no second file
  }
  ~Connection() { sqlite3_close(db_); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  int run(const char* sql) { return sqlite3_exec(db_, sql, nullptr, nullptr, nullptr); }

 private:
  sqlite3* db_ = nullptr;
};

// ----- The other process: carries out one order per byte and answers with SQLite's code -----

constexpr char kOpen = 'o', kLock = 'l';

int obey(char order, Connection*& connection, const Database& at) {
  if (order == kOpen) connection = new Connection(at);
  return connection->run(order == kOpen ? "SELECT count(*) FROM sqlite_master" : "BEGIN IMMEDIATE");
}

[[noreturn]] void serve(int talk, const Database& at) {
  Connection* connection = nullptr;
  char order = 0;
  while (read(talk, &order, 1) == 1) {
    const auto code = static_cast<unsigned char>(obey(order, connection, at));
    if (write(talk, &code, 1) != 1) break;
  }
  _exit(0);  // the parent has exited or is done; its buffers must not be flushed twice
}

// Forked before this process opens the database: SQLite tracks locks per process, so a child that
// inherited them would be refused by SQLite's memory, not by the file system.
class OtherProcess {
 public:
  explicit OtherProcess(const Database& at) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
      fail("a socket pair cannot be created");
    talk_ = ends[0];
    pid_ = fork();
    if (pid_ < 0) fail("a second process cannot be started");
    if (pid_ == 0) {
      close(ends[0]);
      serve(ends[1], at);
    }
    close(ends[1]);
  }
  ~OtherProcess() {
    kill_it();
    close(talk_);
  }
  OtherProcess(const OtherProcess&) = delete;
  OtherProcess& operator=(const OtherProcess&) = delete;

  // SQLite's code, or -1 if there is no answer within five seconds.
  int ask(char order) {
    unsigned char code = 0;
    pollfd ready{talk_, POLLIN, 0};
    if (send(talk_, &order, 1, MSG_NOSIGNAL) != 1 || poll(&ready, 1, 5000) != 1 ||
        read(talk_, &code, 1) != 1)
      return -1;
    return code;
  }

  void kill_it() {
    if (pid_ <= 0) return;
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
    pid_ = -1;
  }

 private:
  pid_t pid_ = -1;
  int talk_ = -1;
};

// ----- The proof -----

std::string refused(const char* doing, int code) {
  return std::string(doing) +
         (code < 0 ? " does not respond" : std::string(": ") + sqlite3_errstr(code));
}

Proof exchange(Connection& mine, OtherProcess& other) {
  if (int code = mine.run("BEGIN IMMEDIATE"); code != SQLITE_OK)
    return {false, refused("the write lock cannot be taken", code)};
  if (int code = other.ask(kLock); code != SQLITE_BUSY)
    return {false, code == SQLITE_OK ? "two processes held the write lock at the same time"
                                     : refused("a second writer", code)};
  if (int code = mine.run("ROLLBACK"); code != SQLITE_OK)
    return {false, refused("the write lock cannot be released", code)};
  if (int code = other.ask(kLock); code != SQLITE_OK)
    return {false, refused("a second writer, after the first was done", code)};
  other.kill_it();
  if (int code = mine.run("BEGIN IMMEDIATE"); code != SQLITE_OK)
    return {false, refused("the lock of a killed process is not released", code)};
  return {true, "a second writer is refused, and the lock of a killed process is released"};
}

}  // namespace

Proof prove_locks(const std::filesystem::path& folder, const std::string& vfs) {
  try {
    ProofFile file(folder);
    // Closing any descriptor of the file would drop this process's locks on it, so only SQLite's
    // stays open.
    file.close();
    const Database at{file.path(), vfs};
    OtherProcess other(at);
    Connection mine(at);
    if (int code = mine.run("CREATE TABLE proof (x)"); code != SQLITE_OK)
      return {false, refused("a database cannot be written", code), code != SQLITE_FULL};
    if (int code = other.ask(kOpen); code != SQLITE_OK)
      return {false, refused("a second process cannot read the database", code)};
    file.unlink();  // both have it open; from here on nothing is left behind
    return exchange(mine, other);
  } catch (const std::system_error& error) {
    return {false, error.what(), false};
  }
}

}  // namespace results
