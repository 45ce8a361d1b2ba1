// A client that sends arbitrary bytes to a port of this host.
#pragma once

#include <string>
#include <string_view>

namespace runner {

// Sends the bytes and returns the whole response; "" without a connection.
std::string asked(int port, std::string_view bytes);

// Only sends the bytes; returns the open socket, or -1.
int opened(int port, std::string_view bytes);

// Reads until the other side closes, then closes the socket.
std::string rest_of(int socket);

// "GET /path HTTP/1.1" with a Host header and the final blank line.
std::string get(const std::string& target, const std::string& method = "GET",
                const std::string& host = "127.0.0.1");

}  // namespace runner
