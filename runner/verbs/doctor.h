// `lcsm doctor`: is this machine fit for a workspace and for runs?
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "runner/host/checks.h"

namespace CLI {
class App;
}

namespace runner {

// Lines of at most 80 columns; `colour` for a terminal that wants it.
std::string doctor_text(const std::vector<Check>& checks, bool colour);

// Schema "lcsm.doctor/1".
nlohmann::ordered_json doctor_json(const std::vector<Check>& checks);

// Registers the verb. When a check fails its callback throws CLI::RuntimeError(1), which CLI11's
// exit() turns into exit code 1.
void add_doctor(CLI::App& app);

}  // namespace runner
