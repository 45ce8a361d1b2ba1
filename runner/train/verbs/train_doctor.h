// `lcsm-train doctor`: shows the build, the loaded libraries, and the peak speed of the host.
#pragma once

#include <string>

#include "runner/base/cli/verb.h"

namespace runner {

// "lcsm-train 0.1.0 (ee1d22d4), LibTorch 2.11.0, CUDA 80-real 90"; without: "..., no CUDA"
std::string train_version();

// The verb's exit code is 3 if the requested device is missing.
void add_train_doctor(Verb& program);

}  // namespace runner
