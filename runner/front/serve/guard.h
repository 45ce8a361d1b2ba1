// Who may read: a browser of this host that knows the token.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "runner/front/serve/http.h"

namespace runner {

// 128 random bits as hex digits. Throws std::system_error.
std::string new_token();

// In a time that does not depend on where they differ.
bool is_same_secret(std::string_view given, std::string_view secret);

// Why a request is refused. Its Host must be a name of this host, at any port, which may be
// forwarded: a page of another site whose name was made to lead here sends its own.
std::optional<HttpResponse> refused(const HttpRequest& request, std::string_view token);

}  // namespace runner
