// The identity of a run: what it is called on every machine, by what it computes.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "runner/config/run_config.h"

namespace runner {

// One line of canonical JSON (RFC 8785): the semantic keys that have a meaning and are not at
// their default. std::invalid_argument when the content of a text of the user's own is not known.
std::string canonical_json(const RunConfig& config);

// The first 128 bits of its SHA-256, 32 hexadecimal digits.
std::string run_id(const RunConfig& config);
std::string id_of_identity(std::string_view canonical);

// Every key that the identity may depend on, with its value, and the formula of an oscillation of
// the user's own: what results are found by.
std::map<std::string, Value> parameters_of(const RunConfig& config);

}  // namespace runner
