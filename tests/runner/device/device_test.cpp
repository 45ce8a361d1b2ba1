#include "runner/device/device.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "lcsm/cuda/device.h"
#include "runner/systems/system.h"

namespace runner {
namespace {

// `model`: "model.code=1-9-1-0".
RunConfig recall(const std::string& model, const std::vector<std::string>& more = {}) {
  std::vector<std::string> settings = {"task.name=mqar", model};
  settings.insert(settings.end(), more.begin(), more.end());
  return parse_config("", "", settings, [](const std::string&) {});
}

}  // namespace

TEST(ComputeDevice, IsRefusedForWhatNoGpuComputes) {
  const auto why = [](const std::string& model) {
    try {
      check_for_gpu(plan_model(recall(model), 16));
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(why("model.code=1-9-1-0"), "");
  EXPECT_EQ(why("model.code=1-1-1-4"), "");
  EXPECT_EQ(why("model.code=1-12-1-0"), "");
  EXPECT_EQ(why("model.family=attention"), "");
  const auto refused = [&](const std::string& said, const std::string& what) {
    EXPECT_NE(said.find(what), std::string::npos) << said;
  };
  EXPECT_EQ(why("model.code=fwp"), "");
  EXPECT_EQ(why("model.code=1-ces-1-0"), "");
  for (const SystemRow& row : system_rows()) {
    const bool has_none = row.name == "rwkv4" || row.name == "reformer";
    if (has_none || is_two_sided(parse_system(row.name))) continue;
    EXPECT_EQ(why("model.system=" + std::string(row.name)), "") << row.name;
  }
  refused(why("model.system=rwkv4"), "got 'rwkv4': its weighted sums");
  refused(why("model.system=reformer"), "got 'reformer': the sizes of its buckets");
}

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

}  // namespace runner
