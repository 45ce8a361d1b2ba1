// Restricts access to browsers on this host that know the token.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "runner/front/serve/http.h"

namespace runner {

// 128 random bits as hex digits. Throws std::system_error.
std::string new_token();

// Compares in constant time.
bool is_same_secret(std::string_view given, std::string_view secret);

// The response that refuses a request; nullopt if it is allowed. The request's Host must be a name
// of this host, against DNS rebinding; any port is allowed, since ports may be forwarded.
std::optional<HttpResponse> refused(const HttpRequest& request, std::string_view token);

}  // namespace runner
