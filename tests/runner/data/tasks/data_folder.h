// A workspace for a test of data: empty folders, without the host's data. LCSM_WORKSPACE names
// another workspace, which must not be read.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/runner/run_program.h"

namespace runner {

class DataFolder : public ::testing::Test {
 protected:
  void SetUp() override {
    setenv("LCSM_WORKSPACE", path("another").c_str(), 1);
    setenv("LCSM_DATA", path("elsewhere").c_str(), 1);
  }
  void TearDown() override {
    unsetenv("LCSM_WORKSPACE");
    unsetenv("LCSM_DATA");
  }

  std::filesystem::path workspace() const { return path("workspace"); }
  std::string path(const std::string& name) const { return (folder_.path() / name).string(); }

  std::string put(const std::string& name, const std::string& text) const {
    const std::filesystem::path file = folder_.path() / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
    return file.string();
  }

 private:
  ScratchFolder folder_;
};

}  // namespace runner
