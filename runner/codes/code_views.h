// The ways in which `lcsm codes` shows what it knows.
#pragma once

#include <span>
#include <string>

#include "runner/codes/code_facts.h"
#include "runner/text/terminal.h"

namespace runner {

// The origin of an oscillation that was typed at --try.
inline constexpr const char* kTried = "--try";

// What there is: gates, activations, options.
std::string overview(const lcsm::Catalogue& catalogue, const Terminal& terminal);
// One code in full.
std::string page(const CodeFacts& facts, const Terminal& terminal);
// Several side by side, a row each.
std::string comparison(std::span<const CodeFacts> facts, const Terminal& terminal);
// {"schema": "lcsm.codes/1", "codes": [...]}
std::string codes_json(std::span<const CodeFacts> facts);
// The overview: {"schema": "lcsm.codes.overview/1", ...}
std::string overview_json(const lcsm::Catalogue& catalogue);

}  // namespace runner
