// Parses requests and prints responses of HTTP/1.1, as far as a few read-only pages need it.
// cpp-httplib would answer on a pool of threads, which would have to share the feeds of sweeps.
#pragma once

#include <cstddef>
#include <map>
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
  std::string type = "text/plain; charset=utf-8", body = {};
};

// The part of a request that has arrived.
struct HttpArrival {
  std::optional<HttpRequest> request;
  int refused = 0;  // the status of the response to a request that is malformed or too long

  bool is_whole() const { return request || refused != 0; }
};
HttpArrival read_request(std::string_view bytes);

// A status other than 200, with a sentence.
HttpResponse refusal(int status, std::string_view sentence);

// The response as sent: status line, headers and, unless the request was HEAD, the body.
std::string response_text(const HttpResponse& response, bool head_only);

}  // namespace runner
