// The optimizer on a GPU, behind a fake driver, against the CPU's.
#include "runner/train/trainer/optimizer_gpu.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/full.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros_like.h>
#include <gtest/gtest.h>

#include <cmath>

#include "lcsm/cuda/driver/nvrtc.h"
#include "tests/lcsm/layer/fake_tensors.h"
#include "tests/runner/train/trainer/small_run.h"

namespace runner {
namespace {

using at::Tensor;
using Parameters = std::vector<ModelParameter>;

// Sizes that fill no vector; three groups; one that is not trained, one without a gradient.
Parameters parameters() {
  const at::Generator random = at::detail::createCPUGenerator(7);
  const auto make = [&](const char* name, at::IntArrayRef sizes, lcsm::ParameterGroup group,
                        bool trained = true) {
    return ModelParameter{name, at::randn(sizes, random, at::kFloat).requires_grad_(trained), group,
                          trained};
  };
  return {make("weight", {3, 5}, lcsm::ParameterGroup::kMatrices),
          make("norm", {7}, lcsm::ParameterGroup::kNorm),
          make("frozen", {2}, lcsm::ParameterGroup::kGate, false),
          make("gate", {4}, lcsm::ParameterGroup::kGate),
          make("idle", {2, 2}, lcsm::ParameterGroup::kMatrices)};
}

void give_gradients(const Parameters& all, int step) {
  for (const ModelParameter& each : all)
    if (each.trained && each.name != "idle")
      each.tensor.mutable_grad() = each.tensor.detach() * 0.3 + step * 0.1;
}

class OptimizerOnAGpu : public testing::Test {
 protected:
  void SetUp() override {
    if (!lcsm::nvrtc_missing().empty()) GTEST_SKIP() << lcsm::nvrtc_missing();
  }
  // Runs a step with this loss and returns the norm.
  double step(Optimizer& optimizer, double loss, double clip) {
    const Tensor loss_norm = at::full({2}, loss, at::kDouble),
                 rate = at::full({}, 0.01, at::kDouble);
    optimizer.queue({loss_norm, rate, clip, 10});
    return loss_norm[1].item<double>();
  }

  lcsm::test::FakeGpu fake_;
  const lcsm::test::FakeTensors tensors_{&fake_};
};

// The norm is summed in another order.
void expect_near(const Parameters& got, const Parameters& expected) {
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_LE((got[i].tensor - expected[i].tensor).abs().max().item<double>(), 1e-6) << got[i].name;
}

}  // namespace

TEST_F(OptimizerOnAGpu, TakesTheStepsOfTheCpu) {
  for (const char* name : {"adamw", "adam"})
    for (const double clip : {0.0, 0.7}) {
      const RunConfig config =
          config_of({"task.name=mqar", "model.code=1-9-1-0", "optim.decay=0.1",
                     "optim.decay_on=matrices", "optim.gate_lr=0.003", "optim.lr=0.001"},
                    {std::string("optim.name=") + name});
      const Parameters here = parameters(), there = parameters();
      Optimizer cpu(config, here), gpu(config, there, fake_.gpu(fake_.driver()));
      expect_near(there, here);
      for (int n = 1; n <= 4; ++n) {
        cpu.clear_gradients(), gpu.clear_gradients();
        give_gradients(here, n), give_gradients(there, n);
        const double norm = cpu.collect_gradients(clip);
        cpu.step(0.01);
        EXPECT_NEAR(step(gpu, 1, clip), norm, 1e-6 * norm);
      }
      expect_near(there, here);
      for (const auto& [key, state] : cpu.state())
        EXPECT_LE((gpu.state().at(key) - state).abs().max().item<double>(), 1e-6) << key;
    }
  EXPECT_EQ(fake_.findings(), "");
}

TEST_F(OptimizerOnAGpu, ChangesNothingInAStepThatDoesNotCount) {
  const Parameters all = parameters(), before = parameters();
  Optimizer optimizer(config_of({"task.name=mqar", "model.code=1-9-1-0"}, {}), all,
                      fake_.gpu(fake_.driver()));
  for (const double loss : {11.0, std::nan("")}) {
    give_gradients(all, 1);
    step(optimizer, loss, 0);
  }
  give_gradients(all, 1);
  all[0].tensor.mutable_grad()[1][2] = HUGE_VAL;
  EXPECT_TRUE(std::isinf(step(optimizer, 1, 0.5)));
  for (std::size_t i = 0; i < all.size(); ++i)
    EXPECT_TRUE(all[i].tensor.equal(before[i].tensor)) << all[i].name;
  for (const auto& [key, state] : optimizer.state())
    EXPECT_TRUE(state.equal(at::zeros_like(state))) << key;
}

// Restores the count of steps, too, which corrects the first averages.
TEST_F(OptimizerOnAGpu, ResumesWhatTheCpuBegan) {
  const RunConfig config = config_of({"task.name=mqar", "model.code=1-9-1-0"}, {});
  const Parameters whole = parameters(), after = parameters();
  Optimizer cpu(config, whole), gpu(config, after, fake_.gpu(fake_.driver()));
  const auto train = [&](int from, int to) {
    for (int n = from; n <= to; ++n) {
      cpu.clear_gradients();
      give_gradients(whole, n);
      cpu.collect_gradients(0);
      cpu.step(0.01);
    }
  };
  train(1, 3);
  for (std::size_t i = 0; i < after.size(); ++i) after[i].tensor.detach().copy_(whole[i].tensor);
  gpu.load_state(cpu.state(), 3);
  train(4, 5);
  for (int n = 4; n <= 5; ++n) {
    gpu.clear_gradients();
    give_gradients(after, n);
    step(gpu, 1, 0);
  }
  expect_near(after, whole);
}

}  // namespace runner
