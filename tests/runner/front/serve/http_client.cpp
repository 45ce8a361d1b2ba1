#include "tests/runner/front/serve/http_client.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <cstdint>

namespace runner {

int opened(int port, std::string_view bytes) {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const timeval patience{30, 0};
  setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
    close(socket);
    return -1;
  }
  while (!bytes.empty()) {
    const ssize_t sent = send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) break;  // refused before all was sent
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return socket;
}

std::string rest_of(int socket) {
  std::string text;
  std::array<char, 65536> part;
  for (ssize_t got; (got = recv(socket, part.data(), part.size(), 0)) > 0;)
    text.append(part.data(), static_cast<std::size_t>(got));
  close(socket);
  return text;
}

std::string asked(int port, std::string_view bytes) {
  const int socket = opened(port, bytes);
  return socket < 0 ? "" : rest_of(socket);
}

std::string get(const std::string& target, const std::string& method, const std::string& host) {
  return method + " " + target + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n";
}

}  // namespace runner
