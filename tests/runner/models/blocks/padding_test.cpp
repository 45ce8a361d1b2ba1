// Padding anywhere: before, between and after real positions, and a sequence of padding alone.
#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/where.h>
#include <gtest/gtest.h>

#include "tests/ets/layer/official_cases.h"
#include "tests/lcsm/layer/layer_cases.h"
#include "tests/runner/models/blocks/block_cases.h"

namespace runner {
namespace {

using at::Tensor;

constexpr std::int64_t kPaddingT = 40;

// [4, T]: the first 7 positions, 9 in the middle, the last 5, all.
Tensor paddings() {
  const Tensor t = at::arange(kPaddingT);
  return at::stack({t < 7, (t >= 11) & (t < 20), t >= 35, t >= 0});
}

TEST(Padding, WhatItContainsReachesNoRealPosition) {
  const lcsm::Threads one(1);
  const Tensor padding = paddings(), real = (~padding).unsqueeze(-1);
  for (const BlockCase& c : block_cases()) {
    SCOPED_TRACE(c.name());
    const lcsm::Block v = c.variant();
    const lcsm::Weights w = lcsm::initial_weights(v, 3, at::kDouble);
    const Tensor x = lcsm::random_input(4, kPaddingT, v.d, 1),
                 other = at::where(real, x, 5 * lcsm::random_input(4, kPaddingT, v.d, 2));
    for (const lcsm::Backend backend : {lcsm::Backend::kReference, lcsm::Backend::kMachine}) {
      const Tensor y = block_forward(v, w, x, {.padding = padding, .backend = backend}).output,
                   z = block_forward(v, w, other, {.padding = padding, .backend = backend}).output;
      EXPECT_TRUE(y.isfinite().all().item<bool>());
      EXPECT_LE(ets::relative_error(real * z, real * y), 1e-13);
    }
  }
}

TEST(Padding, TheFastOneIsTheDefinition) {
  const lcsm::Threads one(1);
  const Tensor padding = paddings(), real = (~padding).unsqueeze(-1);
  for (const BlockCase& c : block_cases()) {
    SCOPED_TRACE(c.name());
    const lcsm::Block v = c.variant();
    const lcsm::Weights w = lcsm::initial_weights(v, 3, at::kDouble);
    std::vector<Tensor> results;
    for (const lcsm::Backend backend : {lcsm::Backend::kReference, lcsm::Backend::kMachine}) {
      const Tensor x = lcsm::random_input(4, kPaddingT, v.d, 1).requires_grad_();
      const Tensor y =
          real * block_forward(v, w, x, {.padding = padding, .backend = backend}).output;
      (y * lcsm::random_input(4, kPaddingT, v.d, 2)).sum().backward();
      EXPECT_TRUE(x.grad().isfinite().all().item<bool>());
      results.insert(results.end(), {y, x.grad()});
    }
    EXPECT_LE(ets::relative_error(results[2], results[0]), 1e-11);
    EXPECT_LE(ets::relative_error(results[3], results[1]), 1e-10);
  }
}

}  // namespace
}  // namespace runner
