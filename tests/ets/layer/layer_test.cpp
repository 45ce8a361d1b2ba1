// The layers against numbers that the authors' own code computed.
#include "ets/layer/layer.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/layer_norm.h>
#include <ATen/ops/rsqrt.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

#include "tests/ets/layer/family_cases.h"
#include "tests/ets/layer/official_cases.h"
#include "tests/lcsm/layer/layer_cases.h"

namespace ets {
namespace {

using at::Tensor;

// The authors' code computes in float64: a different order of operations stays within 1e-10; sums
// of many terms, such as gradients, within 1e-9.
constexpr double kOutput = 1e-10, kGradient = 1e-9;

Tensor normed(const Around& around, const Tensor& x) {
  constexpr double kEpsilon = 1e-5;
  const Tensor& weight = around.weights.at("norm.weight");
  if (around.norm == "scale") return weight * x * at::rsqrt(x.square().mean(-1, true) + kEpsilon);
  const Tensor& bias = around.weights.at("norm.bias");
  if (around.norm == "layer") return at::layer_norm(x, {x.size(2)}, weight, bias, kEpsilon);
  static const std::vector<std::int64_t> kSteps = {0, 1};
  const Tensor off = x - x.mean(kSteps, true);  // the statistics of training
  return off * at::rsqrt(off.square().mean(kSteps, true) + kEpsilon) * weight + bias;
}

Tensor output_of(const OfficialCase& c, const lcsm::Block& v, FilterMachine machine) {
  if (c.kernel > 0) return layer_kernel(v, c.weights, c.kernel, machine);
  const Around& around = c.around;
  const bool is_bare = around.norm.empty();
  const Tensor x = !is_bare && around.norm_first ? normed(around, c.input) : c.input;
  const Tensor y =
      layer_forward(v, c.weights, x, {.padding = c.padding, .residual = c.input}, machine).output;
  if (is_bare) return y;
  return around.norm_first ? c.input + y : normed(around, c.input + y);
}

void expect_agreement_layer(const OfficialCase& c, FilterMachine machine) {
  const lcsm::Block v = variant_of(c);
  check_weights(v, c.weights, at::kDouble, c.kernel > 0);
  std::vector<Tensor> asked;
  if (c.input.defined()) asked.push_back(Tensor(c.input).requires_grad_());
  lcsm::Weights learned = c.weights;
  learned.insert(c.around.weights.begin(), c.around.weights.end());
  for (const auto& [name, tensor] : learned) asked.push_back(Tensor(tensor).requires_grad_());
  const Tensor output = output_of(c, v, machine);
  EXPECT_LE(relative_error(output, c.output), kOutput);
  const auto gradients =
      torch::autograd::grad({output}, asked, {c.grad_output}, false, false, true);
  std::size_t n = 0;
  if (c.input.defined()) {
    EXPECT_LE(relative_error(gradients[n++], c.grad_input), kGradient);
  }
  for (const auto& [name, tensor] : learned) {
    const Tensor& gradient = gradients[n++];
    const auto expected = c.gradients.find(name);
    ASSERT_NE(expected, c.gradients.end()) << name;
    ASSERT_TRUE(gradient.defined()) << name;
    EXPECT_LE(relative_error(gradient, expected->second), kGradient) << name;
  }
}

void expect_all(const std::string& folder, const std::string& start = "") {
  const auto files = case_files(folder, start);
  if (files.empty()) GTEST_SKIP() << "no cases of " << folder << " in ../shared";
  for (const auto& path : files)
    for (const FilterMachine machine : {FilterMachine::kReference, FilterMachine::kFastest}) {
      SCOPED_TRACE(path.filename().string() +
                   (machine == FilterMachine::kFastest ? " cpu" : " reference"));
      expect_agreement_layer(read_case(path), machine);
    }
}

}  // namespace

TEST(Layer, OfCesAgreesWithItsAuthors) { expect_all("etsmlp", "ces_"); }
TEST(Layer, OfEtsmlpAgreesWithItsAuthors) { expect_all("etsmlp", "mlp_"); }
TEST(Layer, OfEtsmlpAgreesInsideTheirResidual) { expect_all("etsmlp", "layer_"); }
TEST(Layer, OfMegaFeedAgreesWithItsAuthors) { expect_all("mega", "ffn_"); }
TEST(Layer, OfMegaAgreesWithItsAuthors) { expect_all("mega", "attn_"); }
TEST(Layer, OfEmaAgreesWithItsAuthors) { expect_all("mega", "ema_"); }
TEST(Layer, OfS4dAgreesWithItsAuthors) { expect_all("s4", "s4d_"); }
TEST(Layer, OfS4AgreesWithItsAuthors) { expect_all("s4", "dplr_"); }
TEST(Layer, OfBlocksOfS4AgreesWithItsAuthors) { expect_all("s4", "block_d"); }
TEST(Layer, OfDssAgreesWithItsAuthors) { expect_all("dss"); }
TEST(Layer, OfS5AgreesWithItsAuthors) { expect_all("s5"); }
TEST(Layer, OfTnnAgreesWithItsAuthors) { expect_all("tnn", "gtu_"); }
TEST(Layer, OfH3AgreesWithItsAuthors) { expect_all("h3"); }

// norm_after_smlp of ETSMLP.
TEST(Layer, OfEtsmlpNormsWhatItSmoothed) {
  const lcsm::Block plain = FamilyCase{"etsmlp", {"place=after_out"}}.variant(),
                    norms =
                        FamilyCase{"etsmlp", {"place=after_out", "smooth_norm=layer"}}.variant();
  lcsm::Weights weights = weights_of(norms);
  const Tensor x = lcsm::random_input(2, 9, norms.d, 3), weight = x[0][0], bias = x[0][1];
  weights["smooth_norm.weight"] = weight;
  weights["smooth_norm.bias"] = bias;
  const Tensor y = layer_forward(norms, weights, x).output;
  std::erase_if(weights, [](const auto& named) { return named.first.starts_with("smooth_norm."); });
  const Tensor smoothed = layer_forward(plain, weights, x).output;
  EXPECT_LE(relative_error(y, at::layer_norm(smoothed, {norms.d}, weight, bias, 1e-5)), 1e-12);
}

}  // namespace ets
