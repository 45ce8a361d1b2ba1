// Attention on a CPU in float32, against LibTorch's in float64.
#include "lcsm/tensors/attention.h"

#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/scaled_dot_product_attention.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/stack.h>
#include <gtest/gtest.h>

#include "lcsm/tensors/operation.h"
#include "lcsm/tensors/product.h"
#include "tests/lcsm/layer/layer_cases.h"

namespace lcsm::test {
namespace {

using at::Tensor;

struct AttentionCase {
  std::int64_t heads = 3, queries = 40, keys = 40, width = 16;
  bool causal = true;
  Tensor padding = {};
};

Tensor heads_drawn(const AttentionCase& c, std::int64_t steps, std::uint64_t seed) {
  return random_input(2, steps, c.heads * c.width, seed)
      .view({2, steps, c.heads, c.width})
      .transpose(1, 2);
}

// The result, then the gradients of q, k and v.
template <class Attention>
Tensors everything_of(const AttentionCase& c, at::ScalarType type, const Attention& attention) {
  const auto learned = [&](std::int64_t steps, std::uint64_t seed) {
    return heads_drawn(c, steps, seed).to(at::kFloat).to(type).requires_grad_();
  };
  const Tensor q = learned(c.queries, 1), k = learned(c.keys, 2), v = learned(c.keys, 3);
  const Tensor y = attention(q, k, v, c.causal, c.padding);
  (y * heads_drawn(c, c.queries, 4).to(at::kFloat).to(type)).sum().backward();
  return {y.detach(), q.grad(), k.grad(), v.grad()};
}

Tensor by_libtorch(const Tensor& q, const Tensor& k, const Tensor& v, bool causal, const Tensor&) {
  return at::scaled_dot_product_attention(q, k, v, {}, 0.0, causal);
}

}  // namespace

TEST(SoftmaxAttention, IsLibTorchs) {
  for (const AttentionCase& c :
       {AttentionCase{}, {1, 1, 1, 1}, {2, 9, 30, 5, false}, {2, 300, 300, 64}, {1, 70, 70, 128}}) {
    SCOPED_TRACE(testing::Message() << c.queries << " " << c.keys << " " << c.width);
    const Tensors got = everything_of(c, at::kFloat, softmax_attention),
                  expected = everything_of(c, at::kDouble, by_libtorch);
    for (std::size_t n = 0; n < got.size(); ++n) {
      ASSERT_EQ(got[n].sizes(), expected[n].sizes());
      EXPECT_LE((got[n].to(at::kDouble) - expected[n]).abs().max().item<double>(),
                5e-6 * expected[n].abs().max().item<double>())
          << n;
    }
  }
}

// Steps of the first and the second sequence are hidden at the end, all, nowhere, or in places.
TEST(SoftmaxAttention, HidesPadding) {
  for (const bool causal : {true, false})
    for (const std::int64_t T : {40, 150}) {
      SCOPED_TRACE(testing::Message() << causal << " " << T);
      const Tensor step = at::arange(T),
                   padding = T == 40 ? at::stack({step >= 25, step >= 0})
                                     : at::stack({step >= 150,
                                                  step.remainder(7).eq(3).logical_or(step >= 110)});
      const AttentionCase c{3, T, T, 16, causal, padding};
      const auto definition = [](const Tensor& q, const Tensor& k, const Tensor& v, bool past,
                                 const Tensor& hidden) {
        const std::int64_t n = q.size(2);
        const Tensor seen = (at::ones({n, n}, at::kBool).tril(past ? 0 : n) &
                             ~hidden.view({hidden.size(0), 1, 1, n})) |
                            at::eye(n, at::kBool);
        const Tensor scores = at::matmul(q, k.transpose(2, 3)) / 4;
        return at::matmul(at::softmax(scores.masked_fill(~seen, -1e300), -1), v);
      };
      const Tensors got = everything_of(c, at::kFloat, softmax_attention),
                    expected = everything_of(c, at::kDouble, definition),
                    wide = everything_of(c, at::kDouble, softmax_attention);
      for (std::size_t n = 0; n < got.size(); ++n) {
        const double most = expected[n].abs().max().item<double>();
        EXPECT_LE((got[n].to(at::kDouble) - expected[n]).abs().max().item<double>(), 5e-6 * most)
            << n;
        EXPECT_LE((wide[n] - expected[n]).abs().max().item<double>(), 1e-12 * most) << n;
      }
    }
}

// Computed in float32: only inputs, result and gradients are rounded, to 2^-8.
TEST(SoftmaxAttention, TakesBfloat16) {
  const Tensors got = everything_of({}, at::kBFloat16, softmax_attention),
                expected = everything_of({}, at::kDouble, by_libtorch);
  for (std::size_t n = 0; n < got.size(); ++n) {
    EXPECT_EQ(got[n].scalar_type(), at::kBFloat16);
    EXPECT_LE((got[n].to(at::kDouble) - expected[n]).norm().item<double>(),
              1e-2 * expected[n].norm().item<double>())
        << n;
  }
}

TEST(SoftmaxAttention, GivesTheSameForAnyNumberOfThreads) {
  const int threads = at::get_num_threads();
  std::vector<Tensors> all;
  for (const int count : {1, 2, 3}) {
    at::set_num_threads(count);
    all.push_back(everything_of({6, 130, 130, 16}, at::kFloat, softmax_attention));
  }
  at::set_num_threads(threads);
  for (const Tensors& each : all)
    for (std::size_t n = 0; n < each.size(); ++n) EXPECT_TRUE(each[n].equal(all[0][n])) << n;
}

// float64, and float32 on request, are LibTorch's results bit for bit.
TEST(SoftmaxAttention, LeavesTheRestToLibTorch) {
  const auto expect_libtorchs = [](at::ScalarType type) {
    const Tensors got = everything_of({}, type, softmax_attention),
                  expected = everything_of({}, type, by_libtorch);
    for (std::size_t n = 0; n < got.size(); ++n) EXPECT_TRUE(got[n].equal(expected[n])) << n;
  };
  expect_libtorchs(at::kDouble);
  const ProductsBy libtorch(Products::kLibTorch);
  expect_libtorchs(at::kFloat);
}

// Heads stay beside each other, so that joining them moves nothing.
TEST(SoftmaxAttention, KeepsTheOrderOfMemory) {
  const Tensor x = heads_drawn({}, 40, 1).to(at::kFloat);
  EXPECT_TRUE(softmax_attention(x, x, x, true).transpose(1, 2).is_contiguous());
}

}  // namespace lcsm::test
