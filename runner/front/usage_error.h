// What CLI11 refuses, said as this program says it: who, expected, got, what was meant.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace runner {

// One sentence without the final newline; `app` is the root after its failed parse.
std::string usage_error(const CLI::App& app, const CLI::ParseError& error);

// "lcsm: unknown verb 'cdoes'; did you mean 'codes'?", empty when `word` is a verb of `app`.
std::string unknown_verb(const CLI::App& app, const std::string& word);

}  // namespace runner
