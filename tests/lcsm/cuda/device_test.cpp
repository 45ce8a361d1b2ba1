#include "lcsm/cuda/device.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <stdexcept>

namespace lcsm {
namespace {

std::string beside(const char* name) {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path() / name;
}

class Device : public testing::Test {
 protected:
  Device() {
    for (const char* name : {"FAKE_INIT", "FAKE_VERSION", "FAKE_COUNT"}) unsetenv(name);
    parts.built = "90";
    parts.driver = beside("libfake_driver.so");
    parts.library = "libno_such_library.so";
  }
  void SetUp() override {
    if (!std::filesystem::exists(parts.driver)) GTEST_SKIP() << parts.driver << " is not there";
  }
  std::string reason() const {
    try {
      open_cuda(parts);
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "";
  }
  CudaParts parts;
};

#define EXPECT_SAYS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

TEST_F(Device, SaysThatItWasBuiltWithoutCuda) {
  parts.built = "";
  EXPECT_SAYS(reason(), "built without CUDA");
}

TEST_F(Device, SaysThatThereIsNoDriver) {
  parts.driver = "libno_such_driver.so.1";
  EXPECT_SAYS(reason(), "the NVIDIA driver (libno_such_driver.so.1) is not on this machine");
}

TEST_F(Device, SaysThatTheDriverIsTooOld) {
  setenv("FAKE_VERSION", "12080", 1);
  EXPECT_SAYS(reason(), "serves CUDA 12.8, LibTorch needs 13.0");
}

TEST_F(Device, SaysThatThereIsNoGpu) {
  setenv("FAKE_COUNT", "0", 1);
  EXPECT_SAYS(reason(), "shows no GPU");
  setenv("FAKE_COUNT", "1", 1);
  setenv("FAKE_INIT", "100", 1);
  EXPECT_SAYS(reason(), "shows no GPU");
}

TEST_F(Device, SaysWhatTheDriverSaid) {
  setenv("FAKE_INIT", "999", 1);
  EXPECT_SAYS(reason(), "CUDA error 999, a made-up error");
}

TEST_F(Device, SaysThatTheLibraryIsMissing) {
  EXPECT_SAYS(reason(), "libno_such_library.so lies neither beside the program nor");
}

TEST_F(Device, NamesALibraryThatTheLibraryNeeds) {
  parts.library = "libfake_needy.so";  // needs libfake_absent.so, which is removed after linking
  if (!std::filesystem::exists(beside("libfake_needy.so"))) GTEST_SKIP() << "not in this folder";
  EXPECT_SAYS(reason(), "needs libfake_absent.so, which the loader does not find");
}

TEST_F(Device, OpensWhatIsThere) {
  Cuda cuda;
  try {
    cuda = open_cuda();
  } catch (const std::runtime_error& error) {
    GTEST_SKIP() << error.what();
  }
  ASSERT_FALSE(cuda.devices().empty());
  EXPECT_GE(cuda.driver_version(), 13000);
  EXPECT_GT(cuda.devices()[0].memory, 0U);
  EXPECT_THROW(cuda.function<void()>("lcsm_no_such_function"), std::runtime_error);
}

}  // namespace
}  // namespace lcsm
