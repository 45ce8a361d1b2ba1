// A server for a few readers on this host: one thread, connections in turn, one request each.
#pragma once

#include <unistd.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "runner/front/serve/http.h"

namespace runner {

// Closes itself.
class Socket {
 public:
  Socket() = default;
  explicit Socket(int handle) : handle_(handle) {}
  Socket(Socket&& other) noexcept : handle_(std::exchange(other.handle_, -1)) {}
  Socket& operator=(Socket&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Socket() {
    if (handle_ >= 0) close(handle_);
  }

  int handle() const { return handle_; }

 private:
  int handle_ = -1;
};

struct ServerLimits {
  std::size_t connections = 64;  // others wait to be accepted
  double request_seconds = 5;    // until a request has arrived
  double response_seconds = 60;  // until its response has been read
  double ending_seconds = 2;     // for the other side to close
};

class HttpServer {
 public:
  using Answer = std::function<HttpResponse(const HttpRequest&)>;

  // Listens on 127.0.0.1; port 0: any free port. turn() calls `answer`. Throws Failure.
  HttpServer(int port, Answer answer, const ServerLimits& limits = {});

  int port() const { return port_; }

  // Waits for at most `milliseconds`, then does what can be done without waiting.
  void turn(int milliseconds);

 private:
  struct Connection {
    enum class Doing { kReading, kWriting, kEnding };
    Socket socket;
    Doing doing = Doing::kReading;
    std::string bytes = {};  // read, or to be written
    std::size_t written = 0;
    double until = 0;  // of what it is doing

    short waits_for() const;
  };
  void accept_all();
  bool proceed(Connection& connection);  // false: it is over
  bool read(Connection& connection);
  bool write(Connection& connection);
  bool expire(Connection& connection);
  void respond(Connection& connection, const HttpArrival& arrival);
  void begin_response(Connection& connection, const HttpResponse& response, bool head_only);

  Socket listener_;
  int port_ = 0;
  Answer answer_;
  ServerLimits limits_;
  std::vector<Connection> connections_;
};

}  // namespace runner
