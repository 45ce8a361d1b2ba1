// The kernels of tests/ptx/kernels: as nvcc compiled them in this build, and as it once did
// (golden), which needs no toolkit.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "tests/ptx/judge.h"
#include "tests/source_folder.h"

namespace ptx {

inline std::filesystem::path compiled_file(const std::string& name) {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path() / "ptx" / (name + ".ptx");
}
inline std::filesystem::path golden_file(const std::string& name) {
  return source_folder() / "tests/ptx/golden" / (name + ".ptx");
}

// Tests with the parameter "golden" or "nvcc"; skipped where that file is not.
class Compiled : public testing::TestWithParam<const char*> {
 protected:
  bool golden() const { return GetParam() == std::string("golden"); }
  std::filesystem::path file(const std::string& name) const {
    return golden() ? golden_file(name) : compiled_file(name);
  }
  Memory memory;
};

#define LCSM_NEED_PTX(name)                        \
  if (!std::filesystem::exists(file(name)))        \
  GTEST_SKIP() << file(name) << " was not found: " \
               << (golden() ? "no source tree" : "no CUDA toolkit when this was built")

}  // namespace ptx
