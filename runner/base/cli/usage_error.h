// The message for a refused command line: what was expected, what was given, and a suggestion.
#pragma once

#include <string>

#include "runner/base/cli/parse.h"

namespace runner {

// Returns one sentence without the final newline.
std::string usage_error(const Parsed& refused);

// "lcsm: unknown verb 'cdoes'; did you mean 'codes'?"; empty if there is such a verb.
std::string unknown_verb(const Verb& program, const std::string& word);

}  // namespace runner
