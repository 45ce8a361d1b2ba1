// The identity of a run: derived from what it computes, so equal on every host.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "runner/config/run/run_config.h"

namespace runner {

// Returns one line of canonical JSON (RFC 8785): the semantic keys that apply and differ from their
// defaults. Throws std::invalid_argument if the content of a custom text is not known.
std::string canonical_json(const RunConfig& config);

// The canonical JSON without the limits on training, such as optim.steps.
std::string canonical_json_of_any_budget(const RunConfig& config);

// The first 128 bits of its SHA-256, 32 hexadecimal digits.
std::string run_id(const RunConfig& config);
std::string id_of_identity(std::string_view canonical);

// Every key that the identity may depend on, with its value, and the formula of a custom
// oscillation. Results are looked up by these keys. model.code may also hold the name of a system.
std::map<std::string, Value> parameters_of(const RunConfig& config);

// The model's name in tables if it may differ from model.code: without options that a recipe added,
// with sizes in a code and the present name of a custom oscillation. "" for other models.
std::string model_label(const RunConfig& config);

// The value of the parameter model.oscillation: the equations of a gate, as JSON.
std::string gate_text_of(const lcsm::Oscillation& custom);

// Parses a gate written by gate_text_of, and names it. Throws std::exception.
lcsm::Oscillation oscillation_of(const std::string& name, const std::string& gate);

}  // namespace runner
