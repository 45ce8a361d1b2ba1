// The operation against its definition in tensor operations.
#include "ets/kernels/cauchy.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/abs.h>
#include <ATen/ops/complex.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/view_as_real.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

#include "lcsm/measure/peak_memory.h"
#include "tests/ets/layer/official_cases.h"
#include "tests/lcsm/layer/layer_cases.h"

namespace ets {
namespace {

using at::Tensor;

struct CauchyExample {
  Tensor v, rates;  // complex leaves
};

CauchyExample example(std::int64_t sums, std::int64_t D, std::int64_t M,
                      at::ScalarType dtype = at::kComplexDouble) {
  const auto drawn = [](std::int64_t a, std::int64_t b, std::int64_t c, std::uint64_t seed) {
    return lcsm::random_input(a, b, c, seed);
  };
  const Tensor rates =
      at::complex(-0.1 - drawn(1, D, M, 1).abs(), 3 * drawn(1, D, M, 2)).squeeze(0);
  return {at::complex(drawn(sums, D, M, 3), drawn(sums, D, M, 4)).to(dtype).requires_grad_(),
          rates.to(dtype).requires_grad_()};
}

std::vector<Tensor> results(const CauchyExample& e, const Tensor& r) {
  const Tensor d = at::complex(lcsm::random_input(r.size(0), r.size(1), r.size(2), 5),
                               lcsm::random_input(r.size(0), r.size(1), r.size(2), 6));
  std::vector<Tensor> all = torch::autograd::grad({r}, {e.v, e.rates}, {d.to(r.scalar_type())});
  all.push_back(r.detach());
  return all;
}

}  // namespace

TEST(CauchySums, AreTheFormula) {
  for (const std::int64_t sums : {4, 6})
    for (const std::int64_t L : {1, 2, 7, 63, 64, 65, 1000, 16384}) {
      SCOPED_TRACE(L);
      const CauchyExample e = example(sums, 3, 5);
      const auto got = results(e, cauchy_sums(e.v, e.rates, L)),
                 wanted = results(e, cauchy_formula(e.v, e.rates, L));
      for (std::size_t n = 0; n < wanted.size(); ++n)
        EXPECT_LE(relative_error(got[n], wanted[n]), 1e-11) << n;  // beside singular nodes
    }
}

TEST(CauchySums, HaveTheSameBitsForAnyNumberOfThreads) {
  const CauchyExample e = example(4, 9, 8, at::kComplexFloat);
  std::vector<std::vector<Tensor>> runs;
  for (const int threads : {1, 2}) {
    const lcsm::Threads some(threads);
    runs.push_back(results(e, cauchy_sums(e.v, e.rates, 5000)));
  }
  for (std::size_t n = 0; n < runs[0].size(); ++n) EXPECT_TRUE(at::equal(runs[0][n], runs[1][n]));
}

// The sums and their gradient; the test's draws are float64 and twice as large.
TEST(CauchySums, KeepNoQuotients) {
  const CauchyExample e = example(4, 16, 32, at::kComplexFloat);
  const lcsm::PeakMemory memory;
  const Tensor r = cauchy_sums(e.v, e.rates, 4096);
  const auto size = static_cast<double>(r.nbytes());
  EXPECT_LE(static_cast<double>(memory.peak()), 2 * size);
  results(e, r);
  EXPECT_LE(static_cast<double>(memory.peak()), 8 * size);
}

}  // namespace ets
