// Lets lcsm-train, started by this process, find LibTorch. In a build, lcsm-train is linked with
// LibTorch's folder. In a package, the script lcsm-train.libtorch finds LibTorch or fetches it.
#pragma once

#include <filesystem>
#include <string>

namespace runner {

// Runs the script TRAINER.libtorch, if there is one, and sets LD_LIBRARY_PATH, which children
// inherit, to what it prints. Its messages go to stderr; throws Failure, without one, if it fails.
void find_libtorch(const std::filesystem::path& trainer);

// Like find_libtorch, but fetches nothing. Returns why LibTorch was not found, or "".
std::string look_for_libtorch(const std::filesystem::path& trainer);

}  // namespace runner
