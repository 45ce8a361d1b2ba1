#include "lcsm/cuda/device/device.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include "tests/message_of.h"

namespace lcsm {
namespace {

std::string beside(const char* name) {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path() / name;
}

class Device : public testing::Test {
 protected:
  Device() {
    for (const char* name : {"FAKE_INIT", "FAKE_VERSION", "FAKE_COUNT", "FAKE_MAJOR"})
      unsetenv(name);
    parts.built = "90";
    parts.driver = beside("libfake_driver.so");
    parts.library = "libno_such_library.so";
  }
  void SetUp() override {
    if (!std::filesystem::exists(parts.driver)) GTEST_SKIP() << parts.driver << " was not found";
  }
  std::string reason() const {
    return message_of<std::runtime_error>([&] { open_cuda(parts); });
  }
  CudaParts parts;
};

#define EXPECT_CONTAINS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

TEST_F(Device, ReportsABuildWithoutCuda) {
  parts.built = "";
  EXPECT_CONTAINS(reason(), "built without CUDA");
}

TEST_F(Device, ReportsAMissingDriver) {
  parts.driver = "libno_such_driver.so.1";
  EXPECT_CONTAINS(reason(), "the NVIDIA driver (libno_such_driver.so.1) was not found");
}

TEST_F(Device, ReportsAnOldDriver) {
  setenv("FAKE_VERSION", "12080", 1);
  EXPECT_CONTAINS(reason(), "supports CUDA 12.8, LibTorch needs 13.0");
}

TEST_F(Device, ReportsThatThereIsNoGpu) {
  setenv("FAKE_COUNT", "0", 1);
  EXPECT_CONTAINS(reason(), "reports no GPU");
  setenv("FAKE_COUNT", "1", 1);
  setenv("FAKE_INIT", "100", 1);
  EXPECT_CONTAINS(reason(), "reports no GPU");
}

TEST_F(Device, ReportsAGpuWithoutTheInstructionsOfTheKernels) {
  setenv("FAKE_MAJOR", "7", 1);
  EXPECT_CONTAINS(reason(), "Fake has compute capability 7.76, the kernels need 8.0 or newer");
}

TEST_F(Device, ReportsTheErrorOfTheDriver) {
  setenv("FAKE_INIT", "999", 1);
  EXPECT_CONTAINS(reason(), "CUDA error 999, a fake error");
}

TEST_F(Device, ReportsAMissingLibrary) {
  EXPECT_CONTAINS(reason(), "libno_such_library.so is neither next to the program nor");
}

TEST_F(Device, NamesALibraryThatTheLibraryNeeds) {
  parts.library = "libfake_needy.so";  // needs libfake_absent.so, which is removed after linking
  if (!std::filesystem::exists(beside("libfake_needy.so")))
    GTEST_SKIP() << "libfake_needy.so was not found";
  EXPECT_CONTAINS(reason(), "needs libfake_absent.so, which the loader cannot find");
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
