// The kernels of tests/ptx/kernels as nvcc compiled them in this build.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "tests/ptx/judge.h"

namespace ptx {

inline std::filesystem::path compiled_file(const std::string& name) {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path() / "ptx" / (name + ".ptx");
}

class Compiled : public testing::Test {
 protected:
  Memory memory;
};

#define LCSM_NEED_PTX(name)                          \
  if (!std::filesystem::exists(compiled_file(name))) \
  GTEST_SKIP() << compiled_file(name) << " was not found: no CUDA toolkit when this was built"

}  // namespace ptx
