// Attention block by block against the matrix of all pairs, and its memory.
#include "ets/layer/block_attention.h"

#include <ATen/TensorOperators.h>
#include <ATen/autocast_mode.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

#include <algorithm>

#include "ets/layer/attention.h"
#include "lcsm/measure/peak_memory.h"
#include "tests/lcsm/layer/layer_cases.h"

namespace ets {
namespace {

using at::Tensor;

// Inputs, and the weights of a bias, for T steps.
struct Inputs {
  Tensor q, k, values, padding;
  lcsm::Weights weights;

  Inputs(std::int64_t B, std::int64_t T, at::ScalarType dtype = at::kDouble) {
    q = leaf(lcsm::random_input(B, T, 6, 1), dtype);
    k = leaf(lcsm::random_input(B, T, 6, 2), dtype);
    values = leaf(lcsm::random_input(B, T, 5, 3), dtype);
    weights["distance"] = leaf(lcsm::random_input(1, 1, 2 * T + 9, 4)[0][0], dtype);
    for (const char* name : {"rotary_query", "rotary_key"})
      weights[name] = leaf(lcsm::random_input(1, 1, 6, 5)[0][0], dtype);
  }

  static Tensor leaf(const Tensor& x, at::ScalarType dtype) {
    return x.to(dtype).detach().requires_grad_();
  }

  std::vector<Tensor> asked(const std::string& bias) const {
    std::vector<Tensor> all = {q, k, values};
    if (bias == "simple") all.push_back(weights.at("distance"));
    if (bias == "rotary") {
      all.push_back(weights.at("rotary_query"));
      all.push_back(weights.at("rotary_key"));
    }
    return all;
  }
};

// The output and the gradients.
std::vector<Tensor> block_attention_results(const Attention& form, const Inputs& in,
                                            lcsm::Backend backend) {
  const Tensor y = attended(form, in.weights, in.q, in.k, in.values, in.padding, backend);
  const Tensor d = lcsm::random_input(y.size(0), y.size(1), y.size(2), 9).to(y.scalar_type());
  std::vector<Tensor> all = torch::autograd::grad({y}, in.asked(std::string(form.bias)), {d});
  all.push_back(y);
  return all;
}

// Padding before the first sequence and after the last.
Tensor both_ends(std::int64_t T, std::int64_t count) {
  const Tensor none = at::zeros({1, T - count}, at::kBool), some = at::ones({1, count}, at::kBool);
  return at::cat({at::cat({some, none}, 1), at::cat({none, some}, 1)});
}

void expect_agreement_block_attention(const Attention& form, const Inputs& in) {
  const std::vector<Tensor> got = block_attention_results(form, in, lcsm::Backend::kMachine),
                            expected = block_attention_results(form, in, lcsm::Backend::kReference);
  // Sums in another order. The gradient of a step that sees one other step is 0 except for
  // rounding.
  for (std::size_t n = 0; n < got.size(); ++n)
    EXPECT_LE((got[n] - expected[n]).abs().max().item<double>(),
              1e-11 * std::max(expected[n].abs().max().item<double>(), 1.0))
        << n;
}

std::int64_t peak_of(std::int64_t T) {
  const Inputs in(1, T, at::kFloat);
  const Attention form{.bias = "simple", .factor = 0.4, .chunk = T};
  const lcsm::PeakMemory memory;
  block_attention_results(form, in, lcsm::Backend::kMachine);
  return memory.peak();
}

}  // namespace

// Lengths within a block, of whole blocks and of none; chunks within and over several blocks.
TEST(BlockAttention, IsTheMatrixOfAllPairs) {
  for (const char* kind : {"softmax", "relu2", "laplace"})
    for (const bool causal : {true, false})
      for (const char* bias : {"simple", "rotary", "none"})
        for (const auto& [T, chunk] :
             {std::pair{1, 1}, {2, 2}, {65, 65}, {512, 512}, {601, 601}, {601, 300}, {130, 32}})
          for (const std::int64_t padded : {0, 1, 290}) {
            if (padded >= T) continue;
            SCOPED_TRACE(c10::str(kind, causal, bias, " T ", T, " chunk ", chunk, " ", padded));
            Inputs in(2, T);
            if (padded > 0) in.padding = both_ends(T, padded);
            expect_agreement_block_attention({kind, bias, 0.4, causal, chunk}, in);
          }
}

TEST(BlockAttention, HasTheSameBitsForAnyNumberOfThreads) {
  const Attention form{.bias = "simple", .factor = 0.4, .chunk = 64};
  const Inputs in(4, 256, at::kFloat);
  std::vector<Tensor> one, four;
  {
    const lcsm::Threads threads(1);
    one = block_attention_results(form, in, lcsm::Backend::kMachine);
  }
  {
    const lcsm::Threads threads(4);
    four = block_attention_results(form, in, lcsm::Backend::kMachine);
  }
  for (std::size_t n = 0; n < one.size(); ++n) EXPECT_TRUE(one[n].equal(four[n])) << n;
}

// As under autocast, where some tensors come from products and others do not.
TEST(BlockAttention, OfTensorsOfTwoTypesIsComputedInTheWider) {
  for (const char* kind : {"softmax", "relu2", "laplace"}) {
    SCOPED_TRACE(kind);
    const Attention form{.kind = kind, .bias = "simple", .factor = 0.4, .chunk = 65};
    Inputs mixed(2, 65, at::kFloat);
    for (Tensor* each : {&mixed.k, &mixed.values})
      *each = Inputs::leaf(each->detach(), at::kBFloat16);
    Inputs wide = mixed;
    for (Tensor* each : {&wide.k, &wide.values}) *each = Inputs::leaf(each->detach(), at::kFloat);
    const auto expected = block_attention_results(form, wide, lcsm::Backend::kMachine);
    at::autocast::set_autocast_enabled(at::kCPU, true);
    at::autocast::set_autocast_dtype(at::kCPU, at::kBFloat16);
    const auto got = block_attention_results(form, mixed, lcsm::Backend::kMachine);
    at::autocast::set_autocast_enabled(at::kCPU, false);
    at::autocast::clear_cache();
    for (std::size_t n = 0; n < got.size(); ++n)
      EXPECT_TRUE(got[n].equal(expected[n].to(got[n].scalar_type()))) << n;
  }
}

// Rounded once; by pairs the products and the shares are rounded, too.
TEST(BlockAttention, OfBfloat16HasItsScoresInFloat32) {
  for (const char* kind : {"softmax", "relu2", "laplace"})
    for (const auto& [backend, bound] :
         {std::pair{lcsm::Backend::kMachine, 0x1p-8}, {lcsm::Backend::kReference, 0x1p-7}}) {
      SCOPED_TRACE(kind);
      const Attention form{
          .kind = kind, .bias = "none", .factor = 0.1, .causal = false, .chunk = 600};
      const Inputs rounded(1, 600, at::kBFloat16);
      Inputs exact = rounded;
      for (Tensor* each : {&exact.q, &exact.k, &exact.values})
        *each = Inputs::leaf(each->detach(), at::kDouble);
      const Tensor got = block_attention_results(form, rounded, backend).back(),
                   expected =
                       block_attention_results(form, exact, lcsm::Backend::kReference).back();
      EXPECT_EQ(got.scalar_type(), at::kBFloat16);
      EXPECT_LE((got.to(at::kDouble) - expected).abs().max().item<double>(),
                bound * expected.abs().max().item<double>());
    }
}

// Four times the steps need about four times the memory, not sixteen.
TEST(BlockAttention, NeedsMemoryForEachStepOnly) {
  const lcsm::Threads one(1);
  EXPECT_LE(peak_of(8192), 5 * peak_of(2048));
}

}  // namespace ets
