// The layers against numbers that the authors' own code computed.
#include "ets/layer/layer.h"

#include <ATen/TensorOperators.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

#include "tests/ets/layer/official_cases.h"

namespace ets {
namespace {

// The authors' code computes in float64: another order of the same operations stays within 1e-10,
// sums of many terms, as gradients are, within 1e-9.
constexpr double kOutput = 1e-10, kGradient = 1e-9;

void expect_agreement(const OfficialCase& c, Machine machine) {
  const Variant v = variant_of(c);
  check_weights(v, c.weights, at::kDouble, c.kernel > 0);
  std::vector<at::Tensor> asked;
  if (c.input.defined()) asked.push_back(at::Tensor(c.input).requires_grad_());
  for (const auto& [name, tensor] : c.weights) asked.push_back(at::Tensor(tensor).requires_grad_());
  const at::Tensor output =
      c.kernel > 0
          ? layer_kernel(v, c.weights, c.kernel, machine)
          : layer_forward(v, c.weights, c.input, {.padding = c.padding, .machine = machine}).output;
  EXPECT_LE(relative_error(output, c.output), kOutput);
  const auto gradients =
      torch::autograd::grad({output}, asked, {c.grad_output}, false, false, true);
  std::size_t n = 0;
  if (c.input.defined()) {
    EXPECT_LE(relative_error(gradients[n++], c.grad_input), kGradient);
  }
  for (const auto& [name, tensor] : c.weights) {
    const at::Tensor& gradient = gradients[n++];
    const auto expected = c.gradients.find(name);
    ASSERT_NE(expected, c.gradients.end()) << name;
    ASSERT_TRUE(gradient.defined()) << name;
    EXPECT_LE(relative_error(gradient, expected->second), kGradient) << name;
  }
}

void expect_all(const std::string& folder, const std::string& start = "") {
  const auto files = case_files(folder, start);
  if (files.empty()) GTEST_SKIP() << "no cases of " << folder;
  for (const auto& path : files)
    for (const Machine machine : {Machine::kReference, Machine::kCpu}) {
      SCOPED_TRACE(path.filename().string() + (machine == Machine::kCpu ? " cpu" : " reference"));
      expect_agreement(read_case(path), machine);
    }
}

}  // namespace

TEST(Layer, OfCesAgreesWithItsAuthors) { expect_all("etsmlp", "ces_"); }
TEST(Layer, OfEmaAgreesWithItsAuthors) { expect_all("mega", "ema_"); }
TEST(Layer, OfS4dAgreesWithItsAuthors) { expect_all("s4", "s4d_"); }
TEST(Layer, OfS4AgreesWithItsAuthors) { expect_all("s4", "dplr_"); }
TEST(Layer, OfBlocksOfS4AgreesWithItsAuthors) { expect_all("s4", "block_d"); }
TEST(Layer, OfDssAgreesWithItsAuthors) { expect_all("dss"); }
TEST(Layer, OfS5AgreesWithItsAuthors) { expect_all("s5"); }
TEST(Layer, OfTnnAgreesWithItsAuthors) { expect_all("tnn", "gtu_"); }
TEST(Layer, OfH3AgreesWithItsAuthors) { expect_all("h3"); }

}  // namespace ets
