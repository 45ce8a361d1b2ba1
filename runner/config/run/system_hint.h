// Hint for a code that looks like a misspelled system.
#pragma once

#include <string>
#include <string_view>

namespace runner {

// Appends to `why` the system with this or a similar name.
std::string with_system_hint(const std::string& why, std::string_view text);

}  // namespace runner
