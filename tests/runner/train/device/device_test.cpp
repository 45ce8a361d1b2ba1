#include "runner/train/device/device.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "lcsm/cuda/device/device.h"
#include "tests/message_of.h"

namespace runner {
namespace {

// `model`: "model.code=1-9-1-0".
RunConfig recall(const std::string& model, const std::vector<std::string>& more = {}) {
  std::vector<std::string> settings = {"task.name=mqar", model};
  settings.insert(settings.end(), more.begin(), more.end());
  return parse_config("", "", settings, [](const std::string&) {});
}

}  // namespace

TEST(ComputeDevice, IsTheCpuWhereThereIsNoGpu) {
  const auto opened = [](const std::string& device) {
    const RunConfig config = recall("model.code=1-9-1-0", {"run.device=" + device});
    return open_device(config, plan_model(config, 16), {});
  };
  EXPECT_EQ(opened("cpu").name, "cpu");
  try {
    lcsm::open_cuda();
    GTEST_SKIP() << "there is a GPU";
  } catch (const std::runtime_error& none) {
    EXPECT_EQ(opened("auto").name, "cpu");
    EXPECT_TRUE(opened("auto").memory.is_cpu());
    try {
      opened("cuda");
      FAIL() << "it was opened";
    } catch (const std::runtime_error& error) {
      EXPECT_EQ(std::string(error.what()), none.what());
    }
  }
}

// An RTX 4090 gives a block 99 KiB, an A100 gives 163.
TEST(ComputeDevice, IsAGpuByItselfOnlyWhereAllKernelsFit) {
  EXPECT_EQ(message_of<std::invalid_argument>(
                [] { check_shared_memory({.name = "G", .shared_bytes = 99 * 1024}); }),
            "the GPU G gives a block 99 KiB of shared memory, and kernels of many models need up "
            "to 163; run.device = \"cuda\" trains on it if those of this model fit");
  EXPECT_NO_THROW(check_shared_memory({.name = "G", .shared_bytes = 163 * 1024}));
}

}  // namespace runner
