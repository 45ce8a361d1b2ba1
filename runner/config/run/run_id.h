// The identity of a run: derived from what it computes, and hence the same on every host.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "runner/config/run/run_config.h"

namespace runner {

// One line of canonical JSON (RFC 8785): the semantic keys that apply and are not at their
// default. Throws std::invalid_argument if the content of a custom text is not known.
std::string canonical_json(const RunConfig& config);

// The same without what limits the training: optim.steps and the like.
std::string canonical_json_of_any_budget(const RunConfig& config);

// The first 128 bits of its SHA-256, 32 hexadecimal digits.
std::string run_id(const RunConfig& config);
std::string id_of_identity(std::string_view canonical);

// Every key that the identity may depend on, with its value, and the formula of a custom
// oscillation. Results are looked up by these; model.code is also the name of a system.
std::map<std::string, Value> parameters_of(const RunConfig& config);

// What tables call the model where a recipe has added to it: its name without that. Else "".
std::string model_label(const RunConfig& config);

// What parameters_of calls model.oscillation: what a gate computes, as JSON.
std::string gate_text_of(const lcsm::Oscillation& custom);

// The gate of such a text, under a name. Throws std::exception.
lcsm::Oscillation oscillation_of(const std::string& name, const std::string& gate);

}  // namespace runner
