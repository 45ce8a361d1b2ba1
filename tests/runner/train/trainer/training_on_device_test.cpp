// Training on a real GPU, against the CPU's.
#include <ATen/TensorOperators.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "runner/train/device/device.h"
#include "runner/train/trainer/trainer.h"
#include "tests/runner/train/trainer/small_run.h"

namespace runner {
namespace {

// Float32 does not use products on tensor cores; sums are in another order.
class TrainingOnDevice : public testing::Test {
 protected:
  void SetUp() override {
    try {
      if (!device_.gpu) device_ = first_gpu(testing::TempDir() + "/lcsm-kernels");
    } catch (const std::runtime_error& missing) {
      GTEST_SKIP() << missing.what();
    }
  }

  static RunConfig recall(const std::vector<std::string>& more = {}) {
    const std::vector<std::string> settings = {
        "task.name=mqar",    "model.code=1-9-1-0", "task.vocab=512", "task.length=64",
        "task.pairs=4",      "task.train=200",     "task.valid=50",  "task.test=50",
        "model.d=32",        "model.k=16",         "model.layers=2", "model.dropout=0.1",
        "optim.batch=16",    "optim.clip=0.5",     "optim.epochs=4", "optim.lr=0.001",
        "optim.accumulate=2"};
    return config_of(settings, more);
  }

  static ComputeDevice device_;
};
ComputeDevice TrainingOnDevice::device_;

}  // namespace

// Only a few steps: Adam treats gradients near 0, which are mostly rounding, like large ones.
TEST_F(TrainingOnDevice, TakesTheStepsOfTheCpu) {
  for (const char* code : {"1-9-1-0", "1-10-1-0", "1-1-1-4", "0-ces-0-0"}) {
    SCOPED_TRACE(code);
    const RunConfig config = recall({std::string("model.code=") + code});
    const auto data = open_task(config, {});
    Trainer cpu(config, *data), gpu(config, *data, device_);
    expect_steps_of_the_cpu(gpu, cpu, 6, 1e-4, 1e-3);
    const Score a = gpu.evaluate(Split::kValid), b = cpu.evaluate(Split::kValid);
    EXPECT_NEAR(a[Sum::kLoss], b[Sum::kLoss], 1e-3 * b[Sum::kLoss]);
  }
}

TEST_F(TrainingOnDevice, TakesTheSameStepsWithoutGraphs) {
  for (const char* precision : {"optim.precision=fp32", "optim.precision=bf16"}) {
    const RunConfig config = recall({precision}), without = recall({precision, "run.graphs=off"});
    const auto data = open_task(config, {});
    Trainer one(config, *data, device_), other(without, *data, device_);
    for (int n = 1; n <= 12; ++n) EXPECT_EQ(one.step(n).loss, other.step(n).loss) << n;
    expect_same(one.weights(), other.weights());
  }
}

TEST_F(TrainingOnDevice, ResumesExactly) {
  const RunConfig config = recall();
  const auto data = open_task(config, {});
  Trainer whole(config, *data, device_), first(config, *data, device_),
      second(config, *data, device_);
  for (int n = 1; n <= 12; ++n) whole.step(n);
  for (int n = 1; n <= 5; ++n) first.step(n);
  second.load_weights(first.weights());
  second.load_optimizer(first.optimizer_state(), 5);
  for (int n = 6; n <= 12; ++n) second.step(n);
  expect_same(second.weights(), whole.weights());
  expect_same(second.optimizer_state(), whole.optimizer_state());
}

}  // namespace runner
