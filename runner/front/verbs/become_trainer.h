// Hands a verb over to lcsm-train, which has LibTorch.
#pragma once

#include <string>
#include <vector>

namespace runner {

// Replaces this process by the lcsm-train beside it. `words`: the arguments. Throws Failure if it
// cannot be started.
[[noreturn]] void become_trainer(std::vector<std::string> words);

}  // namespace runner
