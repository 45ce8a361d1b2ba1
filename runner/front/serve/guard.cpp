#include "runner/front/serve/guard.h"

#include <sys/random.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>

namespace runner {
namespace {

constexpr std::array<std::string_view, 2> kHosts = {"127.0.0.1", "localhost"};

bool is_this_host(std::string_view host) {
  const std::size_t colon = std::min(host.find(':'), host.size());
  const std::string_view port = host.substr(colon);
  const bool digits =
      port.empty() || (port.size() > 1 && port.find_first_not_of("0123456789", 1) == port.npos);
  return digits && std::find(kHosts.begin(), kHosts.end(), host.substr(0, colon)) != kHosts.end();
}

}  // namespace

std::string new_token() {
  std::array<unsigned char, 16> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    throw std::system_error(errno, std::generic_category(), "cannot get random numbers");
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string token;
  for (const unsigned char byte : bytes) {
    token += kDigits[byte >> 4];
    token += kDigits[byte & 15];
  }
  return token;
}

bool is_same_secret(std::string_view given, std::string_view secret) {
  unsigned different = given.size() != secret.size();
  for (std::size_t i = 0; i < secret.size(); ++i)
    different |= static_cast<unsigned char>(secret[i]) ^
                 static_cast<unsigned char>(i < given.size() ? given[i] : 0);
  return different == 0;
}

std::optional<HttpResponse> refused(const HttpRequest& request, std::string_view token) {
  if (!is_this_host(request.host))
    return refusal(403,
                   "expected a request to 127.0.0.1 or localhost: open the address that "
                   "`lcsm serve` printed");
  if (request.method != "GET" && request.method != "HEAD")
    return refusal(405, "expected GET or HEAD: these pages are read-only");
  const auto given = request.query.find("token");
  if (given == request.query.end() || !is_same_secret(given->second, token))
    return refusal(403,
                   "expected the token of this `lcsm serve`: open the address that it printed");
  return std::nullopt;
}

}  // namespace runner
