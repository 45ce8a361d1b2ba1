// The views of `lcsm codes`.
#pragma once

#include <span>
#include <string>

#include "runner/base/text/terminal.h"
#include "runner/front/codes/code_facts.h"

namespace runner {

// The origin of an oscillation from --try.
inline constexpr const char* kTried = "--try";

inline constexpr int kMostSize = 1 << 20;  // limit on d, k and requested words

// Lists all gates, activations and options.
std::string overview(const lcsm::Catalogue& catalogue, const Terminal& terminal);
// Shows one code in full.
std::string page(const CodeFacts& facts, const Terminal& terminal);
// Compares several codes, one row each.
std::string comparison(std::span<const CodeFacts> facts, const Terminal& terminal);
// {"schema": "lcsm.codes/1", "codes": [...]}
std::string codes_json(std::span<const CodeFacts> facts);
// The overview: {"schema": "lcsm.codes.overview/1", ...}
std::string overview_json(const lcsm::Catalogue& catalogue);

}  // namespace runner
