// Hint for a code that is another kind of model.
#pragma once

#include <string>
#include <string_view>

namespace runner {

// Appends to `why` the system or family of this name, or the system of a similar one.
std::string with_system_hint(const std::string& why, std::string_view text);

}  // namespace runner
