// `lcsm-train doctor`: what this build is, what it loaded, and what the machine can do at most.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace runner {

// "lcsm-train 0.1.0 (ee1d22d4), LibTorch 2.11.0"
std::string train_version();

// The verb's exit code goes to *exit_code: 3 when the device asked for is missing.
void add_train_doctor(CLI::App& app, int* exit_code);

}  // namespace runner
