#include "lcsm/cuda/driver/kernel_cache.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "lcsm/files/read_file.h"

namespace lcsm {
namespace {

class KernelCaching : public testing::Test {
 protected:
  void SetUp() override {
    if (!nvrtc_missing().empty()) GTEST_SKIP() << nvrtc_missing();
    std::filesystem::remove_all(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  static CudaSource source(const std::string& formula) {
    return {.text =
                "#include \"lcsm/cuda/common/math_cuda.cuh\"\n"
                "__global__ void gate(float* x) { *x = " +
                formula + "; }\n",
            .name = "gate.cu"};
  }
  // Tests run beside one another.
  const std::filesystem::path folder_ =
      testing::TempDir() + "/kernel_cache_" + std::to_string(getpid());
};

}  // namespace

TEST_F(KernelCaching, CompilesOnceForAllProcesses) {
  KernelCache first(folder_);
  const std::string code = first.code(source("lcsm::step_of(*x)"), "step(p)");
  EXPECT_NE(code.find(".entry"), std::string::npos);
  EXPECT_EQ(first.code(source("lcsm::step_of(*x)"), "step(p)"), code);
  EXPECT_EQ(first.compiled(), 1);
  KernelCache second(folder_);
  EXPECT_EQ(second.code(source("lcsm::step_of(*x)"), "step(p)"), code);
  EXPECT_EQ(second.compiled(), 0);
}

TEST_F(KernelCaching, TellsSourcesAndOptionsApart) {
  const KernelCache cache(folder_);
  CudaSource other = source("1");
  other.lines = true;
  EXPECT_NE(cache.file_of(source("1")), cache.file_of(source("2")));
  EXPECT_NE(cache.file_of(source("1")), cache.file_of(other));
}

TEST_F(KernelCaching, CompilesAgainWhatIsDamaged) {
  KernelCache cache(folder_);
  const std::string code = cache.code(source("2"), "2");
  const std::filesystem::path file = cache.file_of(source("2"));
  const auto size = std::filesystem::file_size(file);
  for (const auto bytes : {size - 1, std::uintmax_t{3}, std::uintmax_t{0}}) {
    std::filesystem::resize_file(file, bytes);
    EXPECT_EQ(cache.code(source("2"), "2"), code);
  }
  std::fstream(file, std::ios::in | std::ios::out).seekp(static_cast<std::streamoff>(size) - 9)
      << '#';
  EXPECT_EQ(cache.code(source("2"), "2"), code);
  EXPECT_EQ(cache.compiled(), 5);
}

TEST_F(KernelCaching, WorksWithoutAFolder) {
  std::ofstream(folder_) << "a file where the folder should be";
  KernelCache cache(folder_);
  EXPECT_NE(cache.code(source("2"), "2"), "");
}

TEST_F(KernelCaching, ErrorsNameGateAndLine) {
  KernelCache cache(folder_);
  try {
    cache.code(source("1 +* 2"), "the gate 1 +* 2");
    FAIL() << "compiled";
  } catch (const KernelError& error) {
    EXPECT_NE(std::string(error.what()).find("the gate 1 +* 2:"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("gate.cu(2): error"), std::string::npos);
  }
}

}  // namespace lcsm
