// The help page of the program and of each verb, the same under every CLI11.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace runner {

// `width`: columns to wrap at, 0 = 80. The app's footer (its examples) is shown as it stands.
std::string help_text(const CLI::App& app, int width);

// "lcsm" or "lcsm codes": how the user calls this app.
std::string call_name(const CLI::App& app);

}  // namespace runner
