// Checks properties of every block: causality, its state, padding, gradients, the definition.
#include "runner/models/blocks/block.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include "ets/families/family.h"
#include "runner/systems/blocks.h"
#include "tests/ets/layer/official_cases.h"
#include "tests/lcsm/layer/layer_cases.h"
#include "tests/runner/models/blocks/block_cases.h"

namespace runner {
namespace {

using at::Tensor;
using ets::relative_error;

// Initial values, except for matrices that start as zeros, which would hide the operations before
// them.
lcsm::Weights weights_of(const lcsm::Block& v) {
  lcsm::Weights weights = lcsm::initial_weights(v, 3, at::kDouble);
  for (auto& [name, tensor] : weights)
    if (tensor.dim() == 2 && tensor.count_nonzero().item<std::int64_t>() == 0)
      tensor = (0.3 * lcsm::random_input(1, tensor.size(0), tensor.size(1), 4)[0])
                   .abs()  // scores above 0, where relu^2 has a gradient
                   .detach()
                   .requires_grad_();
  return weights;
}

template <class Check>
void each_case(const Check& check) {
  const lcsm::Threads one(1);
  for (const BlockCase& c : block_cases()) {
    SCOPED_TRACE(c.name());
    const lcsm::Block v = c.variant();
    check(v, weights_of(v));
  }
}

TEST(Blocks, ALaterInputChangesNoEarlierOutput) {
  each_case([](const lcsm::Block& v, const lcsm::Weights& w) {
    if (lcsm::sees_later_steps(*v.row, v.options)) return;
    const std::int64_t T = 21, t = 13;
    const Tensor x = lcsm::random_input(2, T, v.d, 5), y = block_forward(v, w, x).output;
    const Tensor other = at::cat({x.narrow(1, 0, t), -x.narrow(1, t, T - t)}, 1);
    const Tensor changed = block_forward(v, w, other).output;
    EXPECT_TRUE(changed.narrow(1, 0, t).equal(y.narrow(1, 0, t)) ||
                relative_error(changed.narrow(1, 0, t), y.narrow(1, 0, t)) < 1e-13);
    EXPECT_GT(relative_error(changed.narrow(1, t, 1), y.narrow(1, t, 1)), 1e-6);
  });
}

TEST(Blocks, OneStepAtATimeIsTheSequence) {
  each_case([](const lcsm::Block& v, const lcsm::Weights& w) {
    const std::int64_t T = 11;
    const Tensor x = lcsm::random_input(2, T, v.d, 6);
    lcsm::BlockResult whole = block_forward(v, w, x);
    if (whole.state.empty()) return;
    lcsm::BlockState state;
    std::vector<Tensor> steps;
    for (std::int64_t t = 0; t < T; ++t) {
      lcsm::BlockResult step = block_forward(v, w, x.narrow(1, t, 1), {.state = state});
      steps.push_back(step.output);
      state = step.state;
    }
    EXPECT_LE(relative_error(at::cat(steps, 1), whole.output), 1e-11);
    for (const auto& [name, tensor] : whole.state)
      EXPECT_LE((state.at(name) - tensor).abs().sum().item<double>(), 1e-10) << name;
  });
}

TEST(Blocks, PaddingAtTheEndChangesNothingBeforeIt) {
  each_case([](const lcsm::Block& v, const lcsm::Weights& w) {
    const std::int64_t T = 17, length = 9;
    const Tensor x = lcsm::random_input(1, length, v.d, 7);
    const Tensor longer = at::cat({x, lcsm::random_input(1, T - length, v.d, 8)}, 1);
    const Tensor padding =
        at::cat({at::zeros({1, length}, at::kBool), at::ones({1, T - length}, at::kBool)}, 1);
    const Tensor y = block_forward(v, w, longer, {.padding = padding}).output;
    EXPECT_LE(relative_error(y.narrow(1, 0, length), block_forward(v, w, x).output), 1e-11);
  });
}

// Blocks that depend on the position of a step: by a table or chunks over the length, the number of
// steps before it (RetNet, MEGA's causal divisor), a sum over all of them (the running softmax), or
// the first input repeated before it (S4++).
bool counts_steps(const lcsm::Block& v) {
  for (const lcsm::BlockRow* row :
       {&lcsm::block_row<Retnet>, &lcsm::block_row<Gmlp>, &lcsm::block_row<Linformer>,
        &lcsm::block_row<Flash>, &lcsm::block_row<Bigbird>, &lcsm::block_row<TransformerLs>})
    if (row == v.row) return true;
  if (v.row == &lcsm::block_row<ets::Mega>)
    return v.options.text("causal") == "true" && v.options.text("attention") != "softmax";
  if (v.row == &lcsm::block_row<ets::S4pp>) return v.options.text("replay_pad") == "replicate";
  return v.row == &lcsm::block_row<Eos> && v.options.text("code").starts_with("1-12-");
}

TEST(Blocks, PaddingAtTheStartChangesNothingBehindIt) {
  each_case([](const lcsm::Block& v, const lcsm::Weights& w) {
    if (counts_steps(v)) return;
    const std::int64_t T = 17, length = 9;
    const Tensor x = lcsm::random_input(1, length, v.d, 7);
    const Tensor longer = at::cat({lcsm::random_input(1, T - length, v.d, 8), x}, 1);
    const Tensor padding =
        at::cat({at::ones({1, T - length}, at::kBool), at::zeros({1, length}, at::kBool)}, 1);
    const Tensor y = block_forward(v, w, longer, {.padding = padding}).output;
    EXPECT_LE(relative_error(y.narrow(1, T - length, length), block_forward(v, w, x).output),
              1e-11);
  });
}

TEST(Blocks, EveryTensorHasAGradient) {
  each_case([](const lcsm::Block& v, const lcsm::Weights& w) {
    const Tensor x = lcsm::random_input(2, 19, v.d, 9).requires_grad_();
    const Tensor y = block_forward(v, w, x).output;
    (y * lcsm::random_input(2, 19, v.d, 10)).sum().backward();
    EXPECT_TRUE(x.grad().defined());
    for (const auto& [name, tensor] : w) {
      ASSERT_TRUE(tensor.grad().defined()) << name;
      EXPECT_TRUE(tensor.grad().isfinite().all().item<bool>()) << name;
      EXPECT_GT(tensor.grad().abs().max().item<double>(), 0) << name;
    }
  });
}

// True for blocks in which a rounded input may change the result completely; there float64 gets the
// rounded input too.
bool jumps(const lcsm::Block& v) { return v.row == &lcsm::block_row<Reformer>; }

TEST(Blocks, Float32AndBfloat16AreNearFloat64) {
  each_case([](const lcsm::Block& v, const lcsm::Weights& w) {
    const Tensor x = lcsm::random_input(2, 33, v.d, 11);
    for (const auto& [dtype, bound] : {std::pair{at::kFloat, 1e-4}, {at::kBFloat16, 6e-2}}) {
      lcsm::Weights rounded, wide;
      for (const auto& [name, tensor] : w) {
        rounded[name] = tensor.detach().to(dtype);
        wide[name] = jumps(v) ? rounded[name].to(at::kDouble) : tensor;
      }
      const Tensor y = block_forward(v, wide, jumps(v) ? x.to(dtype).to(at::kDouble) : x).output;
      const Tensor got = block_forward(v, rounded, x.to(dtype)).output;
      EXPECT_EQ(got.scalar_type(), dtype);
      EXPECT_LE(relative_error(got.to(at::kDouble), y), bound) << at::toString(dtype);
    }
  });
}

TEST(Blocks, TheFastOneIsTheDefinition) {
  each_case([](const lcsm::Block& v, const lcsm::Weights& w) {
    for (const std::int64_t T : {1, 2, 65, 130}) {
      SCOPED_TRACE(T);
      const Tensor grad = lcsm::random_input(2, T, v.d, 12);
      std::vector<Tensor> results;
      for (const lcsm::Backend backend : {lcsm::Backend::kReference, lcsm::Backend::kMachine}) {
        const Tensor x = lcsm::random_input(2, T, v.d, 13).requires_grad_();
        const Tensor y = block_forward(v, w, x, {.backend = backend}).output;
        (y * grad).sum().backward();
        results.insert(results.end(), {y, x.grad()});
      }
      EXPECT_LE(relative_error(results[2], results[0]), 1e-11);
      EXPECT_LE(relative_error(results[3], results[1]), 1e-10);
    }
  });
}

}  // namespace
}  // namespace runner
