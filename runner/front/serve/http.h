// Parses requests and prints responses of HTTP/1.1, as far as a few read-only pages need it.
// cpp-httplib would answer on a thread pool, whose threads would have to share the feeds of sweeps.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace runner {

inline constexpr std::size_t kMostRequestBytes = 8192;

struct HttpRequest {
  std::string method = {}, path = {};             // the path as sent: nothing is decoded
  std::map<std::string, std::string> query = {};  // "token" of "?token=1f"; nothing is decoded
  std::string host = {};
};

struct HttpResponse {
  int status = 200;
  std::string type = "text/plain; charset=utf-8";
  // Shared by all connections that send it.
  std::shared_ptr<const std::string> body = std::make_shared<const std::string>();
};

// The part of a request that has arrived.
struct HttpArrival {
  std::optional<HttpRequest> request;
  int refused = 0;  // status of the response if the request is malformed or too long

  bool is_whole() const { return request || refused != 0; }
};
HttpArrival read_request(std::string_view bytes);

std::shared_ptr<const std::string> text_body(std::string text);

// A status other than 200, with a sentence.
HttpResponse refusal(int status, std::string_view sentence);

// Status line and headers.
std::string head_of(const HttpResponse& response);

}  // namespace runner
