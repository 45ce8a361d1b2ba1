#include "runner/train/loss/head_loss.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/one_hot.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <gtest/gtest.h>

#include "lcsm/measure/peak_memory.h"

namespace runner {
namespace {

using at::Tensor;

struct Case {
  Tensor h, head, targets;
};

Case head_loss_make(std::int64_t N, std::int64_t d, std::int64_t V, at::ScalarType type) {
  const at::Generator random = at::detail::createCPUGenerator(7);
  return {at::randn({N, d}, random, type).requires_grad_(true),
          at::randn({V, d}, random, type).requires_grad_(true),
          at::randint(V, {N}, random, at::kLong)};
}

struct Gradients {
  double loss;
  Tensor d_h, d_head;
};

// Gradients of 0.3 times the sum.
template <class F>
Gradients gradients_of(const Case& c, const F& sum) {
  c.h.mutable_grad().reset();
  c.head.mutable_grad().reset();
  const Tensor loss = sum();
  loss.mul(0.3).backward();
  return {loss.template item<double>(), c.h.grad().clone(), c.head.grad().clone()};
}

double largest(const Tensor& x) { return x.abs().max().item<double>(); }

// Sizes on both sides of a piece: 2097152 / V rows, and at least 256.
TEST(HeadLoss, IsTheCrossEntropyOfTheLogits) {
  for (const auto& [N, V] : {std::pair{1, 5},
                             {255, 9000},
                             {256, 9000},
                             {257, 9000},
                             {513, 9000},
                             {8191, 256},
                             {8192, 256},
                             {8193, 256}}) {
    const Case c = head_loss_make(N, 6, V, at::kDouble);
    const Gradients ours =
        gradients_of(c, [&] { return cross_entropy_sum(c.h, c.head, c.targets); });
    const Gradients wanted = gradients_of(c, [&] {
      return at::cross_entropy_loss(at::mm(c.h, c.head.t()), c.targets, {}, at::Reduction::Sum);
    });
    EXPECT_NEAR(ours.loss, wanted.loss, 1e-12 * wanted.loss) << N << " " << V;
    EXPECT_LT(largest(ours.d_h - wanted.d_h), 1e-12) << N << " " << V;
    EXPECT_LT(largest(ours.d_head - wanted.d_head), 1e-12) << N << " " << V;
  }
}

// LibTorch's smoothing: 1 - e of the target's class, e / V of each.
TEST(HeadLoss, SmoothsItsTargets) {
  for (const auto& [N, V] : {std::pair{1, 5}, {257, 9000}, {8193, 256}}) {
    const Case c = head_loss_make(N, 6, V, at::kDouble);
    const Gradients ours = gradients_of(
        c, [&] { return cross_entropy_sum(c.h, c.head, c.targets, {.smoothing = 0.1}); });
    const Gradients wanted = gradients_of(c, [&] {
      return at::cross_entropy_loss(at::mm(c.h, c.head.t()), c.targets, {}, at::Reduction::Sum,
                                    /*ignore_index=*/-100, /*label_smoothing=*/0.1);
    });
    EXPECT_NEAR(ours.loss, wanted.loss, 1e-12 * wanted.loss) << N << " " << V;
    EXPECT_LT(largest(ours.d_h - wanted.d_h), 1e-12) << N << " " << V;
    EXPECT_LT(largest(ours.d_head - wanted.d_head), 1e-12) << N << " " << V;
  }
}

// LibTorch's cross-entropy takes shares, too.
TEST(HeadLoss, IsTheCrossEntropyOfSharedLabels) {
  const Case c = head_loss_make(7, 6, 5, at::kDouble);
  const at::Generator random = at::detail::createCPUGenerator(8);
  const Tensor shares = at::randn({7, 5}, random, at::kDouble).softmax(1);
  const Gradients ours = gradients_of(c, [&] { return shared_entropy_sum(c.h, c.head, shares); });
  const Gradients wanted = gradients_of(c, [&] {
    return at::cross_entropy_loss(at::mm(c.h, c.head.t()), shares, {}, at::Reduction::Sum);
  });
  EXPECT_NEAR(ours.loss, wanted.loss, 1e-12 * wanted.loss);
  EXPECT_LT(largest(ours.d_h - wanted.d_h), 1e-12);
  EXPECT_LT(largest(ours.d_head - wanted.d_head), 1e-12);
  // A share of 1 for the label's class gives the loss of labels.
  const Tensor sure = at::one_hot(c.targets, 5).to(at::kDouble);
  EXPECT_NEAR(shared_entropy_sum(c.h, c.head, sure).item<double>(),
              cross_entropy_sum(c.h, c.head, c.targets).item<double>(), 1e-12);
}

TEST(HeadLoss, ScoresTheSameWithoutGradients) {
  for (const at::ScalarType type : {at::kDouble, at::kFloat}) {
    const Case c = head_loss_make(1000, 6, 3000, type);  // more than a piece
    Tensor right;
    const Score found =
        cross_entropy_score(c.h, c.head, c.targets, Precision::kFloat32, nullptr, &right);
    const Tensor wanted = at::mm(c.h, c.head.t()).argmax(1).eq(c.targets);
    const double sum = cross_entropy_sum(c.h, c.head, c.targets).item<double>();
    EXPECT_NEAR(found[Sum::kLoss], sum, (type == at::kFloat ? 1e-6 : 1e-12) * sum);
    EXPECT_EQ(found[Sum::kRight], wanted.sum().item<std::int64_t>());
    EXPECT_EQ(found[Sum::kCount], 1000);
    EXPECT_TRUE(right.eq(wanted).all().item<bool>());
  }
}

// Differentiated as it is, and behind a factor; in both types of products.
// Summing 33 rows of float32 in two orders differs by their roundings.
TEST(HeadLoss, WeighsItsSum) {
  for (const at::ScalarType type : {at::kFloat, at::kDouble})
    for (const double smoothing : {0.0, 0.1})
      for (const double factor : {1.0, 0.3})
        for (const std::int64_t N : {33, 0}) {
          const Case c = head_loss_make(N, 6, 70000, type);
          const auto gradients = [&](const LossForm& form, double times) {
            c.h.mutable_grad().reset();
            c.head.mutable_grad().reset();
            const Tensor loss = cross_entropy_sum(c.h, c.head, c.targets, form);
            (times == 1 ? loss : loss.mul(times)).backward();
            return Gradients{loss.item<double>(), c.h.grad(), c.head.grad()};
          };
          const Gradients ours = gradients({.smoothing = smoothing, .weight = 0.25}, factor),
                          wanted = gradients({.smoothing = smoothing}, 0.25 * factor);
          const double tolerance = type == at::kFloat ? 1e-6 : 1e-14;
          EXPECT_NEAR(ours.loss, 0.25 * wanted.loss, tolerance * wanted.loss);
          EXPECT_TRUE(at::allclose(ours.d_h, wanted.d_h, tolerance, tolerance));
          EXPECT_TRUE(at::allclose(ours.d_head, wanted.d_head, tolerance, tolerance));
        }
}

// float32 has a kernel of its own. Logits of order 10 are right to 1e-6 of that, and so are the
// exponentials, relatively.
TEST(HeadLoss, IsThatOfFloat64) {
  for (const auto& [N, V] : {std::pair{1, 5}, {257, 9000}, {8193, 256}}) {
    const Case c = head_loss_make(N, 6, V, at::kDouble);
    const auto float_leaf = [](const Tensor& x) {
      return x.detach().to(at::kFloat).requires_grad_(true);
    };
    const Case narrow{float_leaf(c.h), float_leaf(c.head), c.targets};
    const Gradients ours =
        gradients_of(narrow, [&] { return cross_entropy_sum(narrow.h, narrow.head, c.targets); });
    const Gradients wanted =
        gradients_of(c, [&] { return cross_entropy_sum(c.h, c.head, c.targets); });
    EXPECT_NEAR(ours.loss, wanted.loss, 1e-6 * wanted.loss) << N << " " << V;
    EXPECT_LT(largest(ours.d_h - wanted.d_h), 1e-5 * (1 + largest(wanted.d_h))) << N << " " << V;
    EXPECT_LT(largest(ours.d_head - wanted.d_head), 1e-5 * (1 + largest(wanted.d_head)));
  }
}

// bfloat16 has 8 bits: products of 6 terms of order 1 are right to about 2^-7 each.
TEST(HeadLoss, UsesHalfPrecisionForProductsOnly) {
  const Case c = head_loss_make(100, 6, 300, at::kFloat);
  const Gradients whole =
      gradients_of(c, [&] { return cross_entropy_sum(c.h, c.head, c.targets); });
  const Gradients half = gradients_of(c, [&] {
    return cross_entropy_sum(c.h, c.head, c.targets, {.precision = Precision::kBFloat16});
  });
  EXPECT_EQ(half.d_h.scalar_type(), at::kFloat);
  EXPECT_NEAR(half.loss, whole.loss, 0.01 * whole.loss);
  EXPECT_NE(half.loss, whole.loss);
  EXPECT_LT(largest(half.d_head - whole.d_head), 0.02 * largest(whole.d_head));
}

TEST(HeadLoss, NeverHoldsAllLogits) {
  const Case c = head_loss_make(4096, 8, 20000, at::kFloat);
  const lcsm::PeakMemory memory;
  cross_entropy_sum(c.h, c.head, c.targets).backward();
  EXPECT_LT(memory.peak(), 4096 * 20000 * 4 / 10);
}

}  // namespace
}  // namespace runner
