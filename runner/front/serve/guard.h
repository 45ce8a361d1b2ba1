// Decides who may read: a browser on this host that knows the token.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "runner/front/serve/http.h"

namespace runner {

// 128 random bits as hex digits. Throws std::system_error.
std::string new_token();

// Compares in a time that does not depend on where the texts differ.
bool is_same_secret(std::string_view given, std::string_view secret);

// The response that refuses a request; nullopt if it is allowed. The request's Host must be a name
// of this host, at any port, since ports may be forwarded: a page whose DNS name was rebound to
// this host sends its own name.
std::optional<HttpResponse> refused(const HttpRequest& request, std::string_view token);

}  // namespace runner
