// Recurrences alone: the authors' numbers, the definition, and refused inputs.
#include "runner/models/blocks/inner.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/zeros_like.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

#include <set>

#include "lcsm/tensors/safetensors.h"
#include "tests/ets/layer/official_cases.h"
#include "tests/lcsm/layer/layer_cases.h"
#include "tests/message_of.h"

namespace runner {
namespace {

using at::Tensor;
using ets::relative_error;

struct OfficialInner {
  const char *folder, *file, *row;
  std::vector<std::string> settings;
  double output = 1e-10, gradient = 1e-9;
};

const std::vector<OfficialInner>& official_rows() {
  // The longest beginning of a file's name comes first.
  static const std::vector<OfficialInner> rows = {
      {"fla", "delta_rule", "delta-rule", {}},
      {"fla", "fwp_scale1", "delta-rule", {"scale=1"}},
      {"fla", "gla", "gla", {}},
      {"fla", "hgrn", "hgrn-scan", {}},
      {"fla",
       "linear_attn_normalize",
       "linear-attention",
       {"normalize=true", "feature=exp", "scale=0"},
       1e-13,
       1e-13},
      {"fla", "linear_attn", "linear-attention", {}},
      {"fla", "m2", "two-keys", {}},
      // The authors' decays are float32.
      {"fla", "retention", "retention", {}, 5e-6, 5e-6},
      {"fla", "rwkv6", "rwkv6", {}},
      {"fla", "simple_gla", "simple-gla", {}},
      {"mamba", "scan", "selective-scan", {}},
  };
  return rows;
}

lcsm::Options options_of(const InnerRow& row, const std::vector<std::string>& settings) {
  lcsm::Options options(row.name, row.options());
  for (const std::string& setting : settings) options.set(setting);
  return options;
}

void expect_authors_numbers(const OfficialInner& official, const std::filesystem::path& path) {
  const InnerRow& row = *inner_named(official.row);
  for (const lcsm::Backend backend : {lcsm::Backend::kReference, lcsm::Backend::kMachine}) {
    const lcsm::SafeTensors file = lcsm::read_safetensors(path.string());
    InnerInputs inputs;
    for (const InnerInput& input : row.inputs)
      if (const auto found = file.tensors.find(std::string(input.name));
          found != file.tensors.end())
        inputs[found->first] = found->second.requires_grad_();
    const Tensor y = inner_forward(row, options_of(row, official.settings), inputs, backend);
    EXPECT_LE(relative_error(y, file.tensors.at("output")), official.output);
    y.backward(file.tensors.at("grad_output"));
    for (const auto& [name, tensor] : inputs)
      EXPECT_LE(relative_error(tensor.grad(), file.tensors.at("grad." + name)), official.gradient)
          << name;
  }
}

TEST(Inner, GivesTheAuthorsNumbers) {
  std::set<std::filesystem::path> done;
  for (const OfficialInner& official : official_rows())
    for (const auto& path : ets::case_files(official.folder, official.file)) {
      if (!done.insert(path).second) continue;
      SCOPED_TRACE(path.filename());
      expect_authors_numbers(official, path);
    }
  const std::size_t all =
      ets::case_files("fla", "").size() + ets::case_files("mamba", "scan").size();
  if (all == 0) GTEST_SKIP() << "the authors' cases are not in ../shared";
  EXPECT_EQ(done.size(), all);
}

// Sizes of the axes that rows use.
std::int64_t size_of(char axis) {
  switch (axis) {
    case 'B':
      return 2;
    case 'T':
      return 130;
    case 'D':
      return 6;
    case 'K':
      return 5;
    default:
      return 3;
  }
}

InnerInputs random_inputs(const InnerRow& row, std::int64_t T) {
  InnerInputs inputs;
  std::uint64_t seed = 1;
  for (const InnerInput& input : row.inputs) {
    std::vector<std::int64_t> shape;
    std::int64_t count = 1;
    for (const char axis : input.axes) {
      shape.push_back(axis == 'T' ? T : size_of(axis));
      count *= shape.back();
    }
    Tensor x = lcsm::random_input(1, 1, count, seed++).reshape(shape);
    const std::set<std::string_view> decays = {"input.g", "input.gk", "input.w", "weight.A"};
    if (decays.contains(input.name)) x = -x.abs();
    if (input.name == "input.beta") x = x.sigmoid();
    // A key longer than 1 lets the delta rule grow without bound.
    if (input.name == "input.k" || input.name == "input.kbar") x = x / 4;
    inputs[std::string(input.name)] = x.clone();
  }
  return inputs;
}

TEST(Inner, TheFastOneIsTheDefinition) {
  for (const InnerRow& row : inner_rows())
    for (const std::int64_t T : {1, 2, 130}) {
      SCOPED_TRACE(std::string(row.name) + " T=" + std::to_string(T));
      std::vector<Tensor> results[2];
      for (const lcsm::Backend backend : {lcsm::Backend::kReference, lcsm::Backend::kMachine}) {
        InnerInputs inputs = random_inputs(row, T);
        for (auto& [name, tensor] : inputs) tensor.requires_grad_();
        const Tensor y = inner_forward(row, options_of(row, {}), inputs, backend);
        y.square().sum().backward();
        std::vector<Tensor>& result = results[backend == lcsm::Backend::kMachine ? 1 : 0];
        result.push_back(y);
        for (const auto& [name, tensor] : inputs)
          result.push_back(tensor.grad().defined() ? tensor.grad() : at::zeros_like(tensor));
      }
      for (std::size_t n = 0; n < results[0].size(); ++n)
        EXPECT_LE(relative_error(results[1][n], results[0][n]), 1e-10) << n;
    }
}

std::string refusal(const InnerRow& row, const InnerInputs& inputs) {
  return message_of<std::invalid_argument>(
      [&] { inner_forward(row, options_of(row, {}), inputs); });
}

TEST(Inner, RefusesWhatDoesNotFit) {
  const InnerRow& row = *inner_named("gla");
  InnerInputs inputs = random_inputs(row, 4);
  EXPECT_EQ(refusal(row, inputs), "");
  inputs["input.gk"] = inputs["input.gk"].narrow(3, 0, 2);
  EXPECT_EQ(refusal(row, inputs), "gla: expected 'input.gk' over BTHK, got [2, 4, 3, 2]");
  inputs.erase("input.gk");
  EXPECT_EQ(refusal(row, inputs), "gla: expected 'input.gk' over BTHK, got none");
}

}  // namespace
}  // namespace runner
