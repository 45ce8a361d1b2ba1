// Tests one scan for all channels against the definition. Families and lengths are in
// machines_test.
#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/complex.h>
#include <ATen/ops/equal.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

#include "ets/machines/machines.h"
#include "lcsm/measure/peak_memory.h"
#include "tests/ets/layer/family_cases.h"
#include "tests/ets/layer/official_cases.h"
#include "tests/lcsm/layer/layer_cases.h"

namespace ets {
namespace {

using at::Tensor;

// Leaves under a filter of G directions.
struct SharedModesExample {
  std::vector<Tensor> parts;
  Filter filter;
  Tensor x;
};

SharedModesExample example_of_modes(std::int64_t B, std::int64_t T, std::int64_t D, std::int64_t M,
                                    std::int64_t G, at::ScalarType dtype = at::kDouble,
                                    std::int64_t lag = 0) {
  const auto drawn = [&](std::int64_t a, std::int64_t b, std::int64_t c, std::uint64_t seed) {
    return lcsm::random_input(a, b, c, seed).to(dtype).requires_grad_();
  };
  SharedModesExample e{
      {drawn(1, 1, M, 1), drawn(1, 1, M, 2), drawn(2, M, D, 3), drawn(2 * G, D, M, 4)},
      {},
      drawn(B, T, D, 5)};
  const Tensor& expand = e.parts[2];
  const Tensor shrink = e.parts[3].view({2, G, D, M});
  e.filter.kernel =
      SharedModes{-0.1 * e.parts[0].abs().view({M}), e.parts[1].view({M}),
                  at::complex(expand[0], expand[1]), at::complex(shrink[0], shrink[1])};
  e.filter.backward_lag = lag;
  e.parts.push_back(e.x);
  return e;
}

// y, its last state if there is one, and the gradients of both.
std::vector<Tensor> shared_modes_results(const SharedModesExample& e, const FilterResult& run,
                                         const lcsm::BlockState& first = {}) {
  std::vector<Tensor> asked = e.parts, of = {run.y}, d;
  for (const auto& [name, tensor] : first) asked.push_back(tensor);
  for (const auto& [name, tensor] : run.state) of.push_back(tensor);
  for (const Tensor& each : of)
    d.push_back(lcsm::random_input(each.size(0), each.size(1), each.size(2), 9).to(each.dtype()));
  std::vector<Tensor> all = torch::autograd::grad(of, asked, d, /*retain_graph=*/true);
  all.insert(all.end(), of.begin(), of.end());
  return all;
}

void expect_same(const std::vector<Tensor>& got, const std::vector<Tensor>& wanted, double bound) {
  ASSERT_EQ(got.size(), wanted.size());
  for (std::size_t n = 0; n < got.size(); ++n)
    EXPECT_LE(relative_error(got[n], wanted[n]), bound) << n;
}

}  // namespace

// Uses a lag that no family has, and an initial state that is learned.
TEST(SharedModesMachine, IsTheDefinition) {
  const lcsm::Threads one(1);
  for (const std::int64_t T : {1, 2, 7, 63, 64, 65, 1000})
    for (const std::int64_t G : {1, 2}) {
      SCOPED_TRACE(testing::Message() << "T " << T << " G " << G);
      const SharedModesExample e = example_of_modes(2, T, 3, 9, G, at::kDouble, G - 1);
      lcsm::BlockState first;
      if (G == 1) first["modes"] = lcsm::random_input(2, 9, 2, 7).requires_grad_();
      expect_same(shared_modes_results(e, filtered_shared(e.filter, e.x, first), first),
                  shared_modes_results(e, filtered_reference(e.filter, e.x, first), first), 1e-11);
    }
}

// Phases of 16384 steps in float32: the tolerance is rounding of inputs and outputs.
TEST(SharedModesMachine, KeepsItsPhaseInFloat) {
  const SharedModesExample e = example_of_modes(1, 16384, 2, 3, 1, at::kFloat);
  Filter exact = e.filter;
  auto& modes = std::get<SharedModes>(exact.kernel);
  modes.log_decay = 0.01 * modes.log_decay;
  for (Tensor* each : {&modes.log_decay, &modes.angle}) *each = each->to(at::kDouble);
  for (Tensor* each : {&modes.expand, &modes.shrink}) *each = each->to(at::kComplexDouble);
  Filter rounded = e.filter;
  auto& float_modes = std::get<SharedModes>(rounded.kernel);
  float_modes.log_decay = modes.log_decay, float_modes.angle = modes.angle;
  EXPECT_LE(relative_error(filtered_shared(rounded, e.x).y,
                           filtered_shared(exact, e.x.to(at::kDouble)).y),
            1e-6);
}

TEST(SharedModesMachine, GivesTheSameBitsForAnyNumberOfThreads) {
  const SharedModesExample e = example_of_modes(2, 3000, 5, 70, 2, at::kFloat);
  std::vector<std::vector<Tensor>> runs;
  for (const int threads : {1, 2, 2}) {
    const lcsm::Threads some(threads);
    runs.push_back(shared_modes_results(e, filtered_shared(e.filter, e.x)));
  }
  for (std::size_t n = 0; n < runs[0].size(); ++n) EXPECT_TRUE(at::equal(runs[1][n], runs[2][n]));
  // A single thread may cut the products with weights differently.
  expect_same(runs[0], runs[1], 1e-5);
}

// u, h and the gradient of both; x, y and their gradients are half as large each.
TEST(SharedModesMachine, KeepsTheModesOfEachStepOnce) {
  const SharedModesExample e = example_of_modes(2, 2048, 64, 64, 1, at::kFloat);
  const lcsm::PeakMemory memory;
  shared_modes_results(e, filtered_shared(e.filter, e.x));
  const double modes = 2.0 * 2048 * 2 * 64 * sizeof(float);
  EXPECT_LE(static_cast<double>(memory.peak()), 6.2 * modes);
}

}  // namespace ets
