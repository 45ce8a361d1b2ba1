#include "runner/front/serve/http.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "lcsm/base/words.h"
#include "runner/front/curves/curves_page.h"

namespace runner {
namespace {

constexpr std::array kReasons = {
    std::pair{200, "OK"},
    std::pair{400, "Bad Request"},
    std::pair{403, "Forbidden"},
    std::pair{404, "Not Found"},
    std::pair{405, "Method Not Allowed"},
    std::pair{408, "Request Timeout"},
    std::pair{431, "Request Header Fields Too Large"},
    std::pair{500, "Internal Server Error"},
};

std::string_view reason_of(int status) {
  for (const auto& [number, reason] : kReasons)
    if (number == status) return reason;
  return "Error";
}

bool is_printable(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < '\x7f'; });
}

bool is_name(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) || c == '-' || c == '_';
  });
}

bool is_header_value(std::string_view text) {
  return std::none_of(text.begin(), text.end(),
                      [](unsigned char c) { return (c < ' ' && c != '\t') || c == 0x7f; });
}

// Removes and returns a line and its end.
std::string_view take_line(std::string_view* rest) {
  constexpr std::string_view kEnd = "\r\n";
  const std::string_view line = rest->substr(0, rest->find(kEnd));
  rest->remove_prefix(std::min(rest->size(), line.size() + kEnd.size()));
  return line;
}

// "GET /path?token=1f HTTP/1.1"
bool read_first_line(std::string_view line, HttpRequest* request) {
  request->method = lcsm::take_until(&line, ' ');
  std::string_view target = lcsm::take_until(&line, ' ');
  if (!is_name(request->method) || !target.starts_with('/') || !is_printable(target)) return false;
  if (line != "HTTP/1.1" && line != "HTTP/1.0") return false;
  request->path = lcsm::take_until(&target, '?');
  while (!target.empty()) {
    std::string_view pair = lcsm::take_until(&target, '&');
    const std::string_view name = lcsm::take_until(&pair, '=');
    request->query.emplace(name, pair);
  }
  return true;
}

// Proxies may interpret two Host headers or a continuation line differently.
bool read_header(std::string_view line, HttpRequest* request) {
  const std::size_t colon = line.find(':');
  if (colon == line.npos || !is_name(line.substr(0, colon))) return false;
  const std::string_view value = lcsm::trimmed(line.substr(colon + 1), " \t");
  if (!is_header_value(value)) return false;
  if (lcsm::lower_case(line.substr(0, colon)) != "host") return true;
  if (!request->host.empty()) return false;
  request->host = lcsm::lower_case(value);
  return true;
}

}  // namespace

HttpArrival read_request(std::string_view bytes) {
  const std::size_t end = bytes.substr(0, kMostRequestBytes).find("\r\n\r\n");
  if (end == bytes.npos) return {{}, bytes.size() >= kMostRequestBytes ? 431 : 0};
  std::string_view rest = bytes.substr(0, end);
  HttpRequest request;
  bool good = read_first_line(take_line(&rest), &request);
  while (good && !rest.empty()) good = read_header(take_line(&rest), &request);
  if (!good) return {{}, 400};
  return {std::move(request), 0};
}

std::shared_ptr<const std::string> text_body(std::string text) {
  return std::make_shared<const std::string>(std::move(text));
}

HttpResponse refusal(int status, std::string_view sentence) {
  return {.status = status, .body = text_body(std::string(sentence) + "\n")};
}

std::string head_of(const HttpResponse& response) {
  std::string text = "HTTP/1.1 " + std::to_string(response.status) + " " +
                     std::string(reason_of(response.status)) +
                     "\r\nContent-Type: " + response.type +
                     "\r\nContent-Length: " + std::to_string(response.body->size()) +
                     "\r\nConnection: close\r\nCache-Control: no-store\r\n"
                     "X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n"
                     "Cross-Origin-Resource-Policy: same-origin\r\nContent-Security-Policy: " +
                     std::string(kPagePolicy) + "; frame-ancestors 'none'\r\n";
  if (response.status == 405) text += "Allow: GET, HEAD\r\n";
  return text + "\r\n";
}

}  // namespace runner
