// Text shared by the page and the tables of codes.
#pragma once

#include <cstdint>
#include <string>

#include "runner/base/text/terminal.h"
#include "runner/front/codes/code_facts.h"

namespace runner {

lcsm::Style style_for(const Terminal& terminal);

// "sigmoid(p_k)^(1/tau)"; for a matrix "I - (sigmoid(p) * e_k) e_k^T".
std::string gate_text(const lcsm::Variant& variant, lcsm::Style style);

std::string tokens_text(double tokens);                       // "15.1", "1024", "1.74e+30"
std::string gate_half_life(const lcsm::InitialDecay& decay);  // "16 tokens (14 to 18)"
std::string start_text(const lcsm::InitialDecay& decay);      // as above, or "by content"
std::string thousands(std::int64_t number);                   // "43,457,024"
std::string amount(double number);                            // "3.08 M"
std::string shape_text(const std::vector<std::int64_t>& shape);

}  // namespace runner
