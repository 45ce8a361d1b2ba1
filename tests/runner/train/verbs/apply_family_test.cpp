#include "runner/train/verbs/apply_family.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include <chrono>

#include "ets/families/family.h"
#include "ets/layer/layer.h"
#include "lcsm/base/row_names.h"
#include "runner/base/process/command.h"
#include "runner/base/process/process_facts.h"
#include "runner/models/blocks/block.h"
#include "runner/systems/blocks.h"
#include "tests/lcsm/layer/layer_cases.h"
#include "tests/message_of.h"

namespace runner {
namespace {

const std::vector<std::string> kS4d = {"output=none"};

lcsm::SafeTensors example(const lcsm::BlockRow& family = lcsm::block_row<ets::S4d>,
                          const std::vector<std::string>& settings = {"modes=3", "output=none"}) {
  lcsm::Options options = lcsm::options_of(family);
  for (const std::string& setting : settings) options.set(setting);
  lcsm::SafeTensors file;
  for (const auto& [name, tensor] :
       lcsm::initial_weights(lcsm::make_block(family, options, 4), 1, at::kDouble))
    file.tensors["weight." + name] = tensor.detach();
  file.tensors["input"] = lcsm::random_input(2, 6, 4, 1);
  return file;
}

std::string refusal(const lcsm::SafeTensors& file, const std::vector<std::string>& settings = kS4d,
                    std::int64_t kernel = 0) {
  return message_of<std::invalid_argument>([&] {
    apply_family(lcsm::block_row<ets::S4d>, settings, file, ets::FilterMachine::kFastest, kernel);
  });
}

void expect_refusal(const std::string& words, const std::string& got) {
  EXPECT_NE(got.find(words), std::string::npos) << got;
}

}  // namespace

TEST(ApplyFamily, ReadsSizesOffTheTensors) {
  lcsm::SafeTensors file = example();
  file.tensors["grad_output"] = at::ones_like(file.tensors["input"]);
  const lcsm::SafeTensors got = apply_family(lcsm::block_row<ets::S4d>, kS4d, file);
  EXPECT_EQ(got.tensors.at("output").sizes(), at::IntArrayRef({2, 6, 4}));
  EXPECT_EQ(got.tensors.at("grad.weight.shrink").sizes(), at::IntArrayRef({1, 4, 3, 2}));
  EXPECT_TRUE(got.tensors.contains("grad.input"));
}

TEST(ApplyFamily, ContinuesFromAState) {
  lcsm::SafeTensors file = example();
  const at::Tensor whole =
      apply_family(lcsm::block_row<ets::S4d>, kS4d, file, ets::FilterMachine::kReference)
          .tensors.at("output");
  const at::Tensor x = file.tensors["input"];
  file.tensors["input"] = x.narrow(1, 0, 4);
  const lcsm::SafeTensors first =
      apply_family(lcsm::block_row<ets::S4d>, kS4d, file, ets::FilterMachine::kReference);
  file.tensors["input"] = x.narrow(1, 4, 2);
  file.tensors["state.modes"] = first.tensors.at("final_state.modes");
  const auto continued = [&](ets::FilterMachine machine) {
    const at::Tensor second =
        apply_family(lcsm::block_row<ets::S4d>, kS4d, file, machine).tensors.at("output");
    return at::cat({first.tensors.at("output"), second}, 1);
  };
  EXPECT_TRUE(at::equal(continued(ets::FilterMachine::kReference), whole));
  EXPECT_TRUE(at::allclose(continued(ets::FilterMachine::kFastest), whole, 1e-13, 1e-14));
}

TEST(ApplyFamily, GivesTheKernelWithoutAnInput) {
  lcsm::SafeTensors file = example();
  file.tensors.erase("input");
  file.tensors.erase("weight.skip");
  const at::Tensor kernel =
      apply_family(lcsm::block_row<ets::S4d>, kS4d, file, ets::FilterMachine::kFastest, 5)
          .tensors.at("output");
  EXPECT_EQ(kernel.sizes(), at::IntArrayRef({1, 4, 5}));
  expect_refusal("'input' [B, T, D], got none", refusal(file));
}

TEST(ApplyFamily, ComputesTheSameByEveryMachine) {
  const auto output = [](ets::FilterMachine machine) {
    return apply_family(lcsm::block_row<ets::S4d>, kS4d, example(), machine, 0)
        .tensors.at("output");
  };
  for (const ets::FilterMachineRow& row : ets::machine_rows()) {
    if (row.machine == ets::FilterMachine::kShared) continue;  // of S5
    EXPECT_LT(
        (output(row.machine) - output(ets::FilterMachine::kReference)).abs().max().item<double>(),
        1e-12)
        << row.name;
  }
}

TEST(ApplyFamily, LeavesMachinesOfFamiliesToFamilies) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> wrong = {
      {{"1-9-1-0", "--machine", "fft"}, "--machine fft is for families with a filter"},
      {{"mamba", "--machine", "fft"}, "--machine fft is for families with a filter"},
      {{"mega-feed", "--machine", "fft"}, "expected cpu or reference for mega-feed"},
      {{"ces", "--machine", "fft", "--kernel", "8"}, "expected cpu or reference with --kernel"},
      {{"mamab"},
       "expected a code, a system, a block or a recurrence, got 'mamab'; did you mean "
       "'mamba'?"}};
  for (const auto& [words, why] : wrong) {
    std::vector<std::string> command = {
        program_folder() / "lcsm-train", "apply", "--weights", "absent", "--out", "absent"};
    command.insert(command.end(), words.begin(), words.end());
    const CommandResult r = run_command(command, std::chrono::seconds(60));
    EXPECT_FALSE(r.ok());
    EXPECT_NE(r.err.find(why), std::string::npos) << r.err;
  }
}

// The channels of tnn's kernel differ from its layer's.
TEST(ApplyFamily, GivesTheKernelOfTnn) {
  lcsm::SafeTensors file =
      example(lcsm::block_row<ets::Tnn>, {"channels=5", "layers=2", "width=3"});
  EXPECT_EQ(apply_family(lcsm::block_row<ets::Tnn>, {}, file).tensors.at("output").sizes(),
            at::IntArrayRef({2, 6, 4}));
  for (const char* name : {"input", "weight.gate.weight", "weight.output.bias"})
    file.tensors.erase(name);
  EXPECT_EQ(apply_family(lcsm::block_row<ets::Tnn>, {}, file, ets::FilterMachine::kFastest, 7)
                .tensors.at("output")
                .sizes(),
            at::IntArrayRef({1, 5, 7}));
}

TEST(ApplyFamily, ReadsTheTapsOfAGateOffItsTensor) {
  const std::vector<std::string> settings = {"output=none", "replay=full"};
  const lcsm::SafeTensors file =
      example(lcsm::block_row<ets::S4>, {"output=none", "modes=2", "replay=full", "replay_taps=3"});
  const lcsm::SafeTensors got =
      apply_family(lcsm::block_row<ets::S4>, settings, file, ets::FilterMachine::kReference);
  EXPECT_EQ(got.tensors.at("final_state.replay").sizes(), at::IntArrayRef({2, 2, 4}));
}

// Sizes of 6 wherever a tensor tells them.
TEST(ApplyFamily, RunsEveryBlockOfSystemsAndReadsItsSizes) {
  for (const lcsm::BlockRow* row : own_block_rows()) {
    SCOPED_TRACE(row->name);
    lcsm::Options options = lcsm::options_of(*row);
    std::vector<std::string> settings, told;
    const lcsm::OptionRow* heads = lcsm::row_named(row->options(), "heads");
    if (heads != nullptr && heads->tensor.empty()) told.emplace_back("heads=2");
    settings = told;
    for (const lcsm::OptionRow& option : row->options())
      if (!option.tensor.empty()) settings.push_back(std::string(option.name) + "=6");
    for (const std::string& setting : settings) options.set(setting);
    lcsm::SafeTensors file = example(*row, settings);
    const at::Tensor x = file.tensors.at("input");
    file.tensors["grad_output"] = at::ones_like(x);
    file.tensors["padding_mask"] = at::zeros({2, 6}, at::kBool);
    file.tensors["padding_mask"].select(1, 5).fill_(true);
    const lcsm::Block variant = lcsm::make_block(*row, options, 4);
    const lcsm::SafeTensors got = apply_family(*row, told, file);
    lcsm::Weights weights;
    for (const lcsm::Parameter& tensor : lcsm::tensors_of(variant)) {
      weights[tensor.name] = file.tensors.at("weight." + tensor.name);
      EXPECT_TRUE(got.tensors.contains("grad.weight." + tensor.name)) << tensor.name;
    }
    EXPECT_TRUE(got.tensors.at("output").equal(
        block_forward(variant, weights, x, {.padding = file.tensors.at("padding_mask")}).output));
  }
}

TEST(ApplyFamily, TakesTheResidualThatAGateWeighs) {
  lcsm::SafeTensors file = example(lcsm::block_row<ets::Mega>, {"modes=2", "chunk=4"});
  const at::Tensor x = file.tensors["input"];
  const auto output = [&] {
    return apply_family(lcsm::block_row<ets::Mega>, {"chunk=4"}, file).tensors.at("output");
  };
  const at::Tensor alone = output();
  file.tensors["residual"] = x;
  EXPECT_TRUE(at::equal(output(), alone));
  file.tensors["residual"] = -x;
  EXPECT_FALSE(at::equal(output(), alone));
  file.tensors["residual"] = x.narrow(1, 0, 5);
  EXPECT_THROW(output(), std::invalid_argument);
}

TEST(ApplyFamily, RefusesWhatHasNoMeaning) {
  lcsm::SafeTensors file = example();
  EXPECT_EQ(refusal(file), "");
  expect_refusal("s4d: expected one of its options", refusal(file, {"mode=3"}));
  expect_refusal("tensor 'input' has no meaning here", refusal(file, kS4d, 5));
  file.tensors["weight.shrnik"] = file.tensors["input"];
  expect_refusal("did you mean 'shrink'?", refusal(file));
  file = example();
  file.tensors["padding_mask"] = at::zeros({2, 6}, at::kDouble);
  expect_refusal("expected 'padding_mask' [B, T] of bool", refusal(file));
  file = example();
  file.tensors["residual"] = at::zeros({2, 5, 4}, at::kDouble);
  expect_refusal("expected 'residual' like 'input', Double [2, 6, 4]", refusal(file));
  file = example();
  file.tensors["weight.skip"] = at::zeros({5}, at::kDouble);
  expect_refusal("s4d: weight 'skip': expected shape [4], got [5]", refusal(file));
  file.tensors.erase("weight.skip");
  expect_refusal("s4d: weight 'skip': expected it, got none", refusal(file));
}

}  // namespace runner
