// The operation against its definition, the tensor formula of taps_of.
#include "ets/kernels/vandermonde.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/equal.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

#include "lcsm/measure/peak_memory.h"
#include "tests/ets/layer/family_cases.h"
#include "tests/ets/layer/official_cases.h"
#include "tests/lcsm/layer/layer_cases.h"

namespace ets {
namespace {

using at::Tensor;

// Modes [G, D, M], decays and angles shared by both directions.
Filter example_of_vandermonde(std::int64_t D, std::int64_t M, at::ScalarType dtype = at::kDouble) {
  const auto drawn = [&](std::int64_t G, std::uint64_t seed) {
    return lcsm::random_input(G, D, M, seed).to(dtype);
  };
  Filter filter;
  filter.kernel = Modes{(-0.1 * drawn(1, 1).abs()).requires_grad_(),
                        drawn(1, 2).requires_grad_(),
                        drawn(2, 3).requires_grad_(),
                        drawn(2, 4).requires_grad_(),
                        {}};
  return filter;
}

// The kernel and its gradients.
std::vector<Tensor> vandermonde_results(const Filter& filter, const Tensor& taps) {
  const auto& m = std::get<Modes>(filter.kernel);
  std::vector<Tensor> asked;
  for (const Tensor& each : {m.log_decay, m.angle, m.weight, m.weight_imag})
    if (each.defined()) asked.push_back(each);
  const Tensor d = lcsm::random_input(taps.size(0), taps.size(1), taps.size(2), 5);
  std::vector<Tensor> all = torch::autograd::grad({taps}, asked, {d.to(taps.scalar_type())});
  all.push_back(taps.detach());
  return all;
}

void expect_agreement(const Filter& filter, std::int64_t T) {
  const auto got = vandermonde_results(filter, fast_taps_of(filter, T)),
             wanted = vandermonde_results(filter, taps_of(filter, T));
  for (std::size_t n = 0; n < wanted.size(); ++n)
    EXPECT_LE(relative_error(got[n], wanted[n]), 1e-11) << n;  // phases of up to 16384 rad
}

}  // namespace

TEST(Vandermonde, IsTheFormula) {
  for (const std::int64_t T : {1, 2, 7, 63, 64, 65, 1000, 16384}) {
    SCOPED_TRACE(T);
    Filter filter = example_of_vandermonde(3, 2);
    expect_agreement(filter, T);
    std::get<Modes>(filter.kernel).weight_imag = Tensor();
    expect_agreement(filter, T);
    std::get<Modes>(filter.kernel).angle = Tensor();
    expect_agreement(filter, T);
    filter.truncation = 40;
    expect_agreement(filter, T);
  }
}

// Growing modes from the end; those that no block can hold have the definition.
TEST(Vandermonde, TakesGrowingModes) {
  for (const double growth : {0.1, 10.0, 20.0}) {
    SCOPED_TRACE(growth);
    Filter filter = example_of_vandermonde(3, 2);
    auto& modes = std::get<Modes>(filter.kernel);
    modes.log_decay = growth * modes.weight.detach().narrow(0, 0, 1).abs().clamp_max(1);
    modes.log_decay.requires_grad_();
    modes.origin = 199 * (modes.log_decay.detach() > 0).to(at::kDouble);
    expect_agreement(filter, 200);
  }
}

TEST(Vandermonde, GivesTheSameBitsForAnyNumberOfThreads) {
  const Filter filter = example_of_vandermonde(40, 3, at::kFloat);
  std::vector<std::vector<Tensor>> runs;
  for (const int threads : {1, 2, 3}) {
    const lcsm::Threads some(threads);
    runs.push_back(vandermonde_results(filter, fast_taps_of(filter, 1000)));
  }
  for (std::size_t n = 0; n < runs[0].size(); ++n) {
    EXPECT_TRUE(at::equal(runs[0][n], runs[1][n]));
    EXPECT_TRUE(at::equal(runs[0][n], runs[2][n]));
  }
}

// The kernel and its gradient; the formula takes 16 modes times as much several times over.
TEST(Vandermonde, KeepsNoModesOverTime) {
  const Filter filter = example_of_vandermonde(32, 16, at::kFloat);
  const lcsm::PeakMemory memory;
  const Tensor taps = fast_taps_of(filter, 4096);
  const auto size = static_cast<double>(taps.nbytes());
  vandermonde_results(filter, taps);
  EXPECT_LE(static_cast<double>(memory.peak()), 6 * size);  // and draws of the test in float64
}

}  // namespace ets
