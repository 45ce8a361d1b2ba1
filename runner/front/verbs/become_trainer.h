// Hands a verb over to lcsm-train, which has LibTorch.
#pragma once

#include <string>
#include <vector>

namespace runner {

// This process becomes the lcsm-train beside it; `words` follow the program's name. Throws Failure
// if it cannot be started.
[[noreturn]] void become_trainer(std::vector<std::string> words);

}  // namespace runner
