// gates.cpp: decays equal the definition on every machine that their values select.
#include "runner/models/blocks/gates.h"

#include <ATen/TensorOperators.h>
#include <gtest/gtest.h>

#include "tests/ets/layer/official_cases.h"
#include "tests/lcsm/layer/layer_cases.h"

namespace runner {
namespace {

using at::Tensor;

struct Result {
  Tensor y, gradient;  // of p
};

Result of(const char* gate, const lcsm::Symbol& symbol, const Tensor& p, lcsm::Backend backend) {
  const Tensor log = p.detach().clone().requires_grad_();
  const Tensor i = lcsm::random_input(2, 70, 3, 1), e = lcsm::random_input(2, 70, 4, 2),
               s = lcsm::random_input(2, 70, 4, 3);
  const Tensor y = gated(gate, {i, e, s, {{symbol, log}}, {}}, backend).y;
  y.square().sum().backward();
  return {y.detach(), log.grad()};
}

void expect_the_definition(const char* gate, const lcsm::Symbol& symbol, const Tensor& p) {
  const Result fast = of(gate, symbol, p, lcsm::Backend::kMachine),
               slow = of(gate, symbol, p, lcsm::Backend::kReference);
  EXPECT_LE(ets::relative_error(fast.y, slow.y), 1e-12);
  EXPECT_LE(ets::relative_error(fast.gradient, slow.gradient), 1e-11);
}

// A zero has a gradient, too, and a gate above 1 is not clipped.
TEST(Gates, DecaysAreTheDefinitionBelowAtAndAboveZero) {
  const Tensor k = -lcsm::random_input(2, 70, 4, 4).abs() / 10, t = k.select(2, 0);
  for (const double above : {-0.01, 0.0, 0.02}) {
    Tensor of_k = k.clone(), of_t = t.clone();
    of_k[0][5][1] = above;
    of_t[0][5] = above;
    expect_the_definition("decay_k", kPk, of_k);
    expect_the_definition("decay", kP, of_t);
  }
}

}  // namespace
}  // namespace runner
