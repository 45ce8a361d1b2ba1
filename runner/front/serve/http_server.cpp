#include "runner/front/serve/http_server.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <set>
#include <system_error>
#include <utility>

#include "runner/base/process/exit_code.h"
#include "runner/base/process/steady_time.h"

namespace runner {
namespace {

std::string advice_for(int error) {
  if (error == EADDRINUSE) return "another process uses it: set another --port, or none";
  if (error == EACCES) return "only root may use it: set a --port above 1023, or none";
  return std::generic_category().message(error);
}

Socket listening_on(int port) {
  Socket socket(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  const int yes = 1;  // a port of which old connections still wait for their end is free
  setsockopt(socket.handle(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (socket.handle() < 0 ||
      bind(socket.handle(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 ||
      listen(socket.handle(), SOMAXCONN) != 0)
    throw Failure(ExitCode::kFailed, fmt::format("cannot listen on port {} of 127.0.0.1: {}", port,
                                                 advice_for(errno)));
  return socket;
}

int port_of(const Socket& socket) {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  getsockname(socket.handle(), reinterpret_cast<sockaddr*>(&address), &size);
  return ntohs(address.sin_port);
}

constexpr int kFullTurn = 20;  // milliseconds until a place may become free

bool would_wait() { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR; }

}  // namespace

HttpServer::HttpServer(int port, Answer answer, const ServerLimits& limits)
    : listener_(listening_on(port)),
      port_(port_of(listener_)),
      answer_(std::move(answer)),
      limits_(limits) {}

short HttpServer::Connection::waits_for() const {
  return doing == Doing::kWriting ? POLLOUT : POLLIN;
}

void HttpServer::turn(int milliseconds) {
  std::vector<pollfd> polled;
  for (const Connection& connection : connections_)
    polled.push_back({connection.socket.handle(), connection.waits_for(), 0});
  const bool open = has_place();
  polled.push_back({open ? listener_.handle() : -1, POLLIN, 0});
  poll(polled.data(), polled.size(), open ? milliseconds : std::min(milliseconds, kFullTurn));
  std::vector<Connection> left;
  for (std::size_t i = 0; i < connections_.size(); ++i) {
    const bool ready = polled[i].revents != 0;
    if (ready ? proceed(connections_[i]) : expire(connections_[i]))
      left.push_back(std::move(connections_[i]));
  }
  connections_ = std::move(left);
  while (bytes_held() > limits_.bytes && idlest(true) != connections_.end())
    connections_.erase(idlest(true));
  if (polled.back().revents != 0) accept_all();
}

std::vector<HttpServer::Connection>::iterator HttpServer::idlest(bool with_body) {
  double before = steady_seconds() - limits_.spared_seconds;
  auto found = connections_.end();
  for (auto each = connections_.begin(); each != connections_.end(); ++each)
    if (each->moved < before && (each->body || !with_body)) found = each, before = each->moved;
  return found;
}

bool HttpServer::has_place() {
  return connections_.size() < limits_.connections || idlest() != connections_.end();
}

std::size_t HttpServer::bytes_held() const {
  std::set<std::shared_ptr<const std::string>> bodies;
  std::size_t sum = 0;
  for (const Connection& connection : connections_)
    if (connection.body && bodies.insert(connection.body).second) sum += connection.body->size();
  return sum;
}

void HttpServer::accept_all() {
  while (has_place()) {
    Socket socket(accept4(listener_.handle(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (socket.handle() < 0) {
      if (!would_wait()) usleep(10'000);  // too many open files: it stays readable
      return;
    }
    if (connections_.size() >= limits_.connections) connections_.erase(idlest());
    const double now = steady_seconds();
    connections_.push_back(
        {.socket = std::move(socket), .until = now + limits_.request_seconds, .moved = now});
  }
}

bool HttpServer::proceed(Connection& connection) {
  return connection.doing == Connection::Doing::kWriting ? write(connection) : read(connection);
}

// Drops bytes after the request, and any that come after the response.
bool HttpServer::read(Connection& connection) {
  std::array<char, 4096> part;
  const ssize_t got = recv(connection.socket.handle(), part.data(), part.size(), 0);
  if (got < 0) return would_wait() && expire(connection);
  if (got == 0) return false;
  if (connection.doing == Connection::Doing::kEnding) return expire(connection);
  connection.bytes.append(part.data(), static_cast<std::size_t>(got));
  const HttpArrival arrival = read_request(connection.bytes);
  if (!arrival.is_whole()) return expire(connection);
  respond(connection, arrival);
  return true;
}

// A client that does not read gets no response; a connection without a request gets an error.
bool HttpServer::expire(Connection& connection) {
  const double now = steady_seconds();
  const bool stalls = connection.doing == Connection::Doing::kWriting &&
                      now >= connection.moved + limits_.stall_seconds;
  if (now < connection.until && !stalls) return true;
  if (connection.doing != Connection::Doing::kReading) return false;
  begin_response(connection, refusal(408, "expected a request within a few seconds"), false);
  return true;
}

void HttpServer::respond(Connection& connection, const HttpArrival& arrival) {
  if (arrival.refused == 431)
    return begin_response(connection, refusal(431, "the request is too long"), false);
  if (arrival.refused != 0)
    return begin_response(connection, refusal(arrival.refused, "malformed request"), false);
  HttpResponse response;
  try {
    response = answer_(*arrival.request);
  } catch (const std::exception& error) {
    response = refusal(500, error.what());
  }
  begin_response(connection, std::move(response), arrival.request->method == "HEAD");
}

void HttpServer::begin_response(Connection& connection, HttpResponse response, bool head_only) {
  connection.bytes = head_of(response);
  if (!head_only) connection.body = std::move(response.body);
  connection.doing = Connection::Doing::kWriting;
  connection.moved = steady_seconds();
  connection.until = connection.moved + limits_.response_seconds;
}

// Closing at once would discard unread bytes of the response if the other side still sends.
bool HttpServer::write(Connection& connection) {
  const std::string_view head = connection.bytes;
  const std::string_view body = connection.body ? std::string_view(*connection.body) : "";
  const std::string_view rest = connection.written < head.size()
                                    ? head.substr(connection.written)
                                    : body.substr(connection.written - head.size());
  const ssize_t sent = send(connection.socket.handle(), rest.data(), rest.size(), MSG_NOSIGNAL);
  if (sent < 0) return would_wait() && expire(connection);
  connection.written += static_cast<std::size_t>(sent);
  connection.moved = steady_seconds();
  if (connection.written < head.size() + body.size()) return expire(connection);
  shutdown(connection.socket.handle(), SHUT_WR);
  connection.bytes.clear();
  connection.body.reset();
  connection.doing = Connection::Doing::kEnding;
  connection.until = connection.moved + limits_.ending_seconds;
  return true;
}

}  // namespace runner
