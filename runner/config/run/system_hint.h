// What to say where a system was meant and a code was read.
#pragma once

#include <string>
#include <string_view>

namespace runner {

// Why a text is no code, with the system of that name if there is one, else one of a near name.
std::string with_system_hint(const std::string& why, std::string_view text);

}  // namespace runner
