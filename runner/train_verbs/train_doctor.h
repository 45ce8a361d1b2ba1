// `lcsm-train doctor`: what this build is, what it loaded, and what the machine can do at most.
#pragma once

#include <string>

#include "runner/cli/verb.h"

namespace runner {

// "lcsm-train 0.1.0 (ee1d22d4), LibTorch 2.11.0, CUDA 80-real 90"; without: "..., no CUDA"
std::string train_version();

// Its exit code is 3 when the device asked for is missing.
void add_train_doctor(Verb& program);

}  // namespace runner
