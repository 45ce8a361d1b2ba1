// Training on a GPU, behind a fake driver, against the CPU's.
#include <ATen/TensorOperators.h>
#include <ATen/record_function.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <fstream>
#include <map>
#include <set>

#include "ets/machines/fft_conv_cuda.h"
#include "lcsm/cuda/driver/nvrtc.h"
#include "runner/base/process/run_end.h"
#include "runner/config/keys/optim_keys.h"
#include "runner/data/datasets/making.h"
#include "runner/data/tasks/task.h"
#include "runner/systems/system.h"
#include "runner/train/trainer/checkpoint.h"
#include "runner/train/trainer/trainer.h"
#include "tests/ets/cuda/fake_cufft.h"
#include "tests/lcsm/layer/fake_tensors.h"
#include "tests/runner/run_program.h"
#include "tests/runner/train/trainer/small_run.h"

namespace runner {
namespace {

// Decay of the rows by data, e and s from the input; two layers, parts, clipping.
std::vector<std::string> small_settings() {
  return {
      "task.name=mqar", "model.code=1-9-1-0", "task.vocab=16",        "task.length=8",
      "task.pairs=2",   "task.train=20",      "task.valid=7",         "task.test=7",
      "model.d=8",      "model.k=4",          "model.layers=2",       "model.dropout=0",
      "optim.batch=4",  "optim.accumulate=2", "optim.clip=0.5",       "model.embedding_dropout=0",
      "optim.epochs=4", "optim.lr=0.001",     "optim.schedule=cosine"};
}
RunConfig small_recall(const std::vector<std::string>& more = {}) {
  return config_of(small_settings(), more);
}

class TrainingOnAGpu : public testing::Test {
 protected:
  void SetUp() override {
    if (!lcsm::nvrtc_missing().empty()) GTEST_SKIP() << lcsm::nvrtc_missing();
  }
  ComputeDevice device() { return device(fake_.driver()); }
  ComputeDevice device(const lcsm::CudaDriver& driver) {
    ComputeDevice made;
    made.gpu = fake_.gpu(driver);
    return made;
  }

  lcsm::test::FakeGpu fake_;
  const lcsm::test::FakeTensors tensors_{&fake_};
};

std::vector<std::string> systems_of_a_gpu() {
  std::vector<std::string> names;
  for (const SystemRow& row : system_rows()) {
    if (row.name == "reformer") continue;
    names.emplace_back(row.name);
    for (const lcsm::OptionRow& option : row.block->options())
      if (option.name == "bidirectional")
        names.push_back(std::string(row.name) + "@bidirectional=true");
  }
  return names;
}

void expect_near_trainer_on_gpu(const NamedTensors& got, const NamedTensors& expected,
                                double tolerance) {
  ASSERT_EQ(got.size(), expected.size());
  for (const auto& [name, tensor] : expected)
    EXPECT_LE((got.at(name) - tensor).abs().max().item<double>(),
              tolerance * tensor.abs().max().item<double>())
        << name;
}

}  // namespace

// Sums in another order: 1e-5 relative.
TEST_F(TrainingOnAGpu, TakesTheStepsOfTheCpu) {
  const RunConfig config = small_recall();
  const auto data = open_task(config, {});
  Trainer cpu(config, *data), gpu(config, *data, device());
  expect_steps_of_the_cpu(gpu, cpu, 10, 1e-5, 1e-5);
  expect_near_trainer_on_gpu(gpu.weights(), cpu.weights(), 1e-5);
  const Score a = gpu.evaluate(Split::kValid), b = cpu.evaluate(Split::kValid);
  EXPECT_NEAR(a[Sum::kLoss], b[Sum::kLoss], 1e-5 * b[Sum::kLoss]);
  EXPECT_GE(fake_.launches(), 10 * 2 * 2 * 2);  // steps, parts, layers, directions
  EXPECT_EQ(fake_.findings(), "");
}

// The masks must be equal: a value that only one side drops would not be rounding.
TEST_F(TrainingOnAGpu, DropsWhatTheCpuDrops) {
  const RunConfig config =
      small_recall({"model.dropout=0.2", "model.embedding_dropout=0.1", "optim.epochs=2"});
  const auto data = open_task(config, {});
  Trainer cpu(config, *data), gpu(config, *data, device());
  for (int n = 1; n <= 6; ++n) {
    const double expected = cpu.step(n).loss;
    EXPECT_NEAR(gpu.step(n).loss, expected, 1e-5 * expected) << n;
  }
  expect_near_trainer_on_gpu(gpu.weights(), cpu.weights(), 1e-5);
  EXPECT_EQ(fake_.findings(), "");
}

// Codes and systems with each of the machines, whose passes over time read and write bfloat16. Not
// delta-net and lrpe: keys of a norm near 0 and gradients that cancel amplify roundings. The rate
// is low, since Adam's first step is as long for a gradient that is rounding as for a large one.
TEST_F(TrainingOnAGpu, TakesTheStepsOfTheCpuInBfloat16) {
  std::set<std::string> passes;
  fake_.counted = [&](const std::string& kernel, const ptx::Counts&) {
    for (const char* other : {"norm_", "gated_", "map_", "short_conv_"})
      if (kernel.starts_with(other)) return;
    for (const char* pass : {"_forward", "_walk", "_back", "_fused"})
      if (kernel.find(pass) != kernel.npos) passes.insert(kernel);
  };
  for (const std::string model :
       {"code=1-9-1-0", "code=1-1-1-0", "code=1-10-1-0", "code=0-0-0-0", "code=fwp", "system=gla",
        "system=tnl", "system=gateloop", "system=dur", "system=mamba-2", "system=gated-delta",
        "system=mamba", "system=rwkv4", "system=etsmlp", "system=hgrn", "system=based"}) {
    SCOPED_TRACE(model);
    passes.clear();
    const RunConfig config =
        small_recall({"optim.precision=bf16", "optim.lr=1e-5", "model." + model});
    const auto data = open_task(config, {});
    Trainer cpu(config, *data), gpu(config, *data, device());
    expect_steps_of_the_cpu(gpu, cpu, 2, 2e-3, 2e-2);
    EXPECT_GE(passes.size(), 2u);
    for (const std::string& kernel : passes)
      EXPECT_NE(kernel.find("_bfloat16"), kernel.npos) << kernel;
  }
  EXPECT_EQ(fake_.findings(), "");
}

// Residuals are added by the norms that follow, in the types of products; the first norm has no
// sum. GLUs and gates multiply in one pass, and short convolutions add their taps in one.
TEST_F(TrainingOnAGpu, AddsResidualsWhereItNormsGatesAndConvolvesInOnePass) {
  std::map<std::string, int> passes;
  fake_.counted = [&](const std::string& kernel, const ptx::Counts&) {
    for (const char* counted : {"norm_", "gated_", "short_conv_"})
      if (kernel.starts_with(counted)) ++passes[kernel];
  };
  using Passes = std::map<std::string, int>;
  const auto passes_of = [&](const std::vector<std::string>& more) {
    std::vector<std::string> settings{"optim.accumulate=1", "run.graphs=off"};
    settings.insert(settings.end(), more.begin(), more.end());
    const RunConfig config = small_recall(settings);
    const auto data = open_task(config, {});
    Trainer cpu(config, *data), gpu(config, *data, device());
    passes.clear();
    const bool exact = config.is("optim.precision"_key, "fp32");
    EXPECT_NEAR(gpu.step(1).loss, cpu.step(1).loss, exact ? 1e-4 : 2e-2);
    return passes;
  };
  // Two layers of mixer, its norm of y and GLU, and the last norm.
  EXPECT_EQ(passes_of({"model.skeleton=wikitext", "optim.precision=bf16"}),
            (Passes{{"gated_forward_identity_bfloat16_bfloat16_4", 2},
                    {"gated_backward_identity_bfloat16_bfloat16_4", 2},
                    {"norm_forward_float32_bfloat16_4", 1},
                    {"norm_backward_float32_bfloat16_4", 1},
                    {"norm_forward_bfloat16_bfloat16_4", 6},
                    {"norm_backward_bfloat16_bfloat16_4", 6},
                    {"norm_sum", 7}}));
  EXPECT_EQ(passes_of({"model.skeleton=wikitext"}),
            (Passes{{"gated_forward_identity_float32_float32_4", 2},
                    {"gated_backward_identity_float32_float32_4", 2},
                    {"norm_forward_float32_float32_4", 7},
                    {"norm_backward_float32_float32_4", 7},
                    {"norm_sum", 7}}));
  // Normed residuals that are added again stay float32.
  EXPECT_EQ(passes_of({"model.skeleton=zoology", "optim.precision=bf16"}),
            (Passes{{"norm_forward_float32_bfloat16_4", 3},
                    {"norm_backward_float32_bfloat16_4", 3},
                    {"norm_forward_bfloat16_float32_4", 2},
                    {"norm_backward_bfloat16_float32_4", 2},
                    {"norm_forward_bfloat16_bfloat16_4", 2},
                    {"norm_backward_bfloat16_bfloat16_4", 2},
                    {"norm_sum", 7}}));
  // A mixer with a gate and a feed with a GLU, which begin with products; a norm of the heads.
  EXPECT_EQ(passes_of({"model.system=gla", "model.skeleton=source", "optim.precision=bf16"}),
            (Passes{{"gated_forward_silu_bfloat16_bfloat16_4", 4},
                    {"gated_backward_silu_bfloat16_bfloat16_4", 4},
                    {"norm_forward_float32_bfloat16_4", 1},
                    {"norm_backward_float32_bfloat16_4", 1},
                    {"norm_forward_bfloat16_bfloat16_4", 4},
                    {"norm_backward_bfloat16_bfloat16_4", 4},
                    {"norm_forward_bfloat16_float32_1", 2},
                    {"norm_backward_bfloat16_float32_1", 2},
                    {"norm_sum", 5}}));
  // Convolutions of half of a projection; the other half is a gate.
  EXPECT_EQ(passes_of({"model.system=mamba", "model.skeleton=source", "optim.precision=bf16"}),
            (Passes{{"gated_forward_silu_bfloat16_bfloat16_4", 2},
                    {"gated_backward_silu_bfloat16_bfloat16_4", 2},
                    {"short_conv_forward_silu_bfloat16_4_4", 2},
                    {"short_conv_backward_silu_bfloat16_4_4", 2},
                    {"norm_forward_float32_bfloat16_4", 1},
                    {"norm_backward_float32_bfloat16_4", 1},
                    {"norm_forward_bfloat16_bfloat16_4", 2},
                    {"norm_backward_bfloat16_bfloat16_4", 2},
                    {"norm_sum", 3}}));
  EXPECT_EQ(fake_.findings(), "");
}

// Autocast would round each of the 16 weights by itself, and its gradient.
TEST_F(TrainingOnAGpu, RoundsItsWeightsAtOnce) {
  static std::map<std::string, int> calls;
  calls.clear();
  const auto count = [](const at::RecordFunction& record) -> std::unique_ptr<at::ObserverContext> {
    ++calls[record.name()];
    return nullptr;
  };
  const RunConfig config = small_recall(
      {"optim.precision=bf16", "optim.accumulate=1", "run.graphs=off", "model.skeleton=wikitext"});
  const auto data = open_task(config, {});
  Trainer gpu(config, *data, device());
  const at::CallbackHandle handle =
      at::addGlobalCallback(at::RecordFunctionCallback(count).scopes({at::RecordScope::FUNCTION}));
  gpu.step(1);
  at::removeCallback(handle);
  EXPECT_EQ(calls["aten::_foreach_copy_"], 3);  // weights, their gradients, all gradients together
  EXPECT_LT(calls["aten::_to_copy"], 16);       // as many as there are weights
}

// Covers products over chunks.
TEST_F(TrainingOnAGpu, TakesTheStepsOfTheCpuWithManyModes) {
  const RunConfig config = small_recall({"model.code=0-s4d-0-0", "model.k=20", "task.length=128",
                                         "task.vocab=160", "optim.epochs=1"});
  const auto data = open_task(config, {});
  Trainer cpu(config, *data), gpu(config, *data, device());
  expect_steps_of_the_cpu(gpu, cpu, 2, 1e-5, 1e-5);
  EXPECT_EQ(fake_.findings(), "");
}

// Every named system that a GPU computes, those that see later steps on a task that lets them, with
// padding. Batch norms and Adam amplify roundings.
TEST_F(TrainingOnAGpu, TakesTheStepsOfTheCpuWithNamedSystems) {
  ets::test::FakeCufft cufft;
  const ets::Cufft functions = cufft.functions();
  const ScratchFolder workspace;
  Recipe recipe = default_recipe(*find_dataset("lra-listops"));
  recipe.examples = {12, 4, 4};
  recipe.over = 3, recipe.under = 30;
  make_dataset({recipe, workspace.path() / "data" / "few", 1, {}, {}});
  for (const std::string& name : systems_of_a_gpu()) {
    SCOPED_TRACE(name);
    std::vector<std::string> settings = small_settings();
    std::erase_if(settings, [](const auto& word) {
      return word.starts_with("model.code") || word.starts_with("model.k=");
    });
    if (is_two_sided(parse_system(name))) {
      std::erase_if(settings, [](const auto& word) { return word.starts_with("task."); });
      settings.insert(settings.end(), {"task.name=lra-listops", "task.data=few", "task.length=32"});
    }
    RunConfig config = config_of(settings, {"model.system=" + name, "model.d=16", "model.layers=1",
                                            "model.skeleton=source", "optim.accumulate=1"});
    pin_content(config, workspace.path());
    const auto data = open_task(config, workspace.path());
    const ComputeDevice there = device();
    ets::cufft_plans(*there.gpu, &functions);
    Trainer cpu(config, *data), gpu(config, *data, there);
    expect_steps_of_the_cpu(gpu, cpu, 2, 1e-4, 1e-3);
    EXPECT_EQ(fake_.findings(), "");
  }
}

// The rows of a band depend on its tokens.
TEST_F(TrainingOnAGpu, TakesTheStepsOfTheCpuWithAnAdaptiveSoftmax) {
  const ScratchFolder folder;
  const std::string text = (folder.path() / "text").string();
  for (int i = 0; i < 50; ++i) std::ofstream(text, std::ios::app) << "one two three four two one\n";
  RunConfig config = config_of({"task.name=text", "task.path=" + text, "task.tokens=ranked-words",
                                "task.length=8", "model.code=1-3-1-2", "model.d=8", "model.k=4",
                                "model.layers=1", "model.softmax=adaptive", "model.cutoffs=2,4",
                                "model.narrowing=2", "optim.batch=4"});
  pin_content(config, folder.path());
  const auto data = open_task(config, folder.path());
  Trainer cpu(config, *data), gpu(config, *data, device());
  expect_steps_of_the_cpu(gpu, cpu, 4, 1e-5, 1e-5);
  EXPECT_EQ(fake_.findings(), "");
}

// 20 examples are two steps of 8 and one of 4 each epoch.
TEST_F(TrainingOnAGpu, TakesTheSameStepsWithoutGraphs) {
  const RunConfig config = small_recall(), without = small_recall({"run.graphs=off"});
  const auto data = open_task(config, {});
  Trainer one(config, *data, device()), other(without, *data, device());
  for (int n = 1; n <= 7; ++n) EXPECT_EQ(one.step(n).loss, other.step(n).loss) << n;
  expect_same(one.weights(), other.weights());
  expect_same(one.optimizer_state(), other.optimizer_state());
}

TEST_F(TrainingOnAGpu, ResumesExactly) {
  const RunConfig config = small_recall();
  const auto data = open_task(config, {});
  const std::filesystem::path folder =
      testing::TempDir() + "/device_test_" + std::to_string(getpid());
  std::filesystem::create_directories(folder);
  Trainer whole(config, *data, device()), first(config, *data, device());
  for (int n = 1; n <= 6; ++n) whole.step(n);
  for (int n = 1; n <= 3; ++n) first.step(n);
  Checkpoint written;
  written.state.step = 3;
  written.model = first.weights();
  written.optimizer = first.optimizer_state();
  Checkpoints(folder).write(written);
  const Checkpoint read = Checkpoints(folder).read(3);
  std::filesystem::remove_all(folder);
  Trainer second(config, *data, device());
  second.load_weights(read.model);
  second.load_optimizer(read.optimizer, 3);
  for (int n = 4; n <= 6; ++n) second.step(n);
  expect_same(second.weights(), whole.weights());
  expect_same(second.optimizer_state(), whole.optimizer_state());
  EXPECT_EQ(fake_.findings(), "");
}

TEST_F(TrainingOnAGpu, StopsBeforeItLearnsFromNaN) {
  const RunConfig config = small_recall();
  const auto data = open_task(config, {});
  Trainer trainer(config, *data, device());
  trainer.step(1);
  NamedTensors weights = trainer.weights(), state;
  for (auto& [name, tensor] : weights) tensor = tensor.clone();
  weights["embedding.weight"].select(0, 3).select(0, 2).fill_(std::nan(""));
  trainer.load_weights(weights);
  for (auto& [name, tensor] : trainer.optimizer_state()) state[name] = tensor.clone();
  const at::Tensor before = trainer.weights()["final_norm.weight"].clone();
  EXPECT_THROW(trainer.step(2), RunFailure);
  EXPECT_TRUE(trainer.weights()["final_norm.weight"].equal(before));
  expect_same(trainer.optimizer_state(), state);
}

TEST_F(TrainingOnAGpu, IsFoundToReadALossThatIsNotThere) {
  const RunConfig config = small_recall();
  const auto data = open_task(config, {});
  lcsm::CudaDriver hasty = fake_.driver();
  hasty.host_waits = [](lcsm::CudaHandle) { return 0; };
  Trainer trainer(config, *data, device(hasty));
  EXPECT_THROW(trainer.step(1), RunFailure);
}

TEST_F(TrainingOnAGpu, EndsWhereMemoryIsOut) {
  const RunConfig config = small_recall();
  const auto data = open_task(config, {});
  lcsm::CudaDriver full = fake_.driver();
  full.launch = [](auto&&...) { return lcsm::kCudaOutOfMemory; };
  Trainer trainer(config, *data, device(full));
  EXPECT_THROW(trainer.step(1), lcsm::CudaOutOfMemory);
}

}  // namespace runner
