// ListOps: expressions of nested operators over digits, and their values (spec of the Long Range
// Arena: depth at most 10, two to ten arguments, three of four nodes are digits).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "runner/base/random/random.h"

namespace runner {

// A token is its index here. Part of the file format.
inline constexpr std::array<std::string_view, 15> kListOpsTokens = {
    "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "[MIN", "[MAX", "[MED", "[SM", "]"};
inline constexpr char kListOpsClose = 14;

// A byte for each token.
using ListOpsTokens = std::string;

// Draws expressions as the official generator does, until one has more than `over` and fewer than
// `under` tokens. Throws std::invalid_argument after too many draws.
ListOpsTokens draw_listops(RandomStream& random, std::int64_t over, std::int64_t under);

// The value, 0 to 9. Throws std::invalid_argument if the tokens are not an expression. The nesting
// depth is limited by memory alone.
int listops_value(std::string_view tokens);

// Parses text with or without the parentheses of the released files, in which 'X' stands for ']'.
// Throws std::invalid_argument.
ListOpsTokens read_listops(std::string_view text);
std::string listops_text(std::string_view tokens);  // without parentheses

}  // namespace runner
