// A server for a few clients on this host: one thread, connections in turn, one request each. If
// connections or memory run short, drops the connection that has made no progress for the longest.
#pragma once

#include <unistd.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "runner/front/serve/http.h"

namespace runner {

// Closes its descriptor.
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
  std::size_t connections = 256;
  std::size_t bytes = std::size_t{1} << 26;  // of responses being sent, each body once
  double request_seconds = 5;                // until a request has arrived
  double response_seconds = 120;             // until its response has been read
  double stall_seconds = 10;                 // during which the client reads nothing
  double ending_seconds = 2;                 // for the other side to close
  double spared_seconds = 0.25;  // without progress, before it may be dropped for another
};

class HttpServer {
 public:
  using Answer = std::function<HttpResponse(const HttpRequest&)>;

  // Listens on 127.0.0.1; port 0: any free port. turn() calls `answer`. Throws Failure.
  HttpServer(int port, Answer answer, const ServerLimits& limits = {});

  int port() const { return port_; }

  // Waits for at most `milliseconds`, then does all work that needs no waiting.
  void turn(int milliseconds);

 private:
  struct Connection {
    enum class Doing { kReading, kWriting, kEnding };
    Socket socket;
    Doing doing = Doing::kReading;
    std::string bytes = {};                        // read, or the head to be written
    std::shared_ptr<const std::string> body = {};  // to be written after it
    std::size_t written = 0;
    double until = 0;  // deadline of the current phase
    double moved = 0;  // time of the last progress; a partial request is none

    short waits_for() const;
  };
  // The connection that has been without progress for the longest; end() if none may be dropped.
  std::vector<Connection>::iterator idlest(bool with_body = false);
  bool has_place();
  std::size_t bytes_held() const;
  void accept_all();
  bool proceed(Connection& connection);  // false: it is over
  bool read(Connection& connection);
  bool write(Connection& connection);
  bool expire(Connection& connection);
  void respond(Connection& connection, const HttpArrival& arrival);
  void begin_response(Connection& connection, HttpResponse response, bool head_only);

  Socket listener_;
  int port_ = 0;
  Answer answer_;
  ServerLimits limits_;
  std::vector<Connection> connections_;
};

}  // namespace runner
