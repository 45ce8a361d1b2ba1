// Products by oneDNN and outer sums against LibTorch's own in float64, on any processor.
#include "lcsm/tensors/product.h"

#include <ATen/TensorOperators.h>
#include <ATen/autocast_mode.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/mm.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

#include <cmath>
#include <optional>

#include "tests/lcsm/layer/layer_cases.h"

namespace lcsm {
namespace {

using at::Tensor;
using torch::autograd::grad;

struct ProductShape {
  std::int64_t M, K, N;
};
// Sizes below and above oneDNN's threshold; gradients of weights by outer sums, and one that is too
// large for them.
constexpr ProductShape kShapes[] = {
    {1, 1, 1}, {7, 5, 3}, {300, 67, 129}, {700, 64, 64}, {96, 260, 515}};

Tensor numbers(std::int64_t rows, std::int64_t columns, std::uint64_t seed) {
  return random_input(1, rows, columns, seed)[0].to(at::kFloat);
}

// Sums of n products of numbers near 1, each rounded to 6e-8 of itself.
double difference(const Tensor& got, const Tensor& want) {
  return ((got.to(at::kDouble) - want).norm() / want.norm()).item<double>();
}
constexpr double kTolerance = 2e-6;

bool have_wide() {
  const ProductsBy wide(Products::kWide);
  return products_are_wide();
}

// y, and the gradients of x, W and b.
std::vector<Tensor> with_gradients(const ProductShape& n, at::ScalarType type, bool cut) {
  Tensor x = numbers(n.M, n.K + 2, 1).to(type), w = numbers(n.N, n.K, 2).to(type),
         b = numbers(1, n.N, 3)[0].to(type);
  x = cut ? x.narrow(1, 1, n.K) : x.narrow(1, 1, n.K).contiguous();
  const Tensor d_y = numbers(n.M, n.N, 4).to(type);
  for (Tensor* each : {&x, &w, &b}) each->requires_grad_();
  const Tensor in = x.view({1, n.M, n.K});
  const Tensor y = type == at::kDouble ? at::linear(in, w, b) : affine(in, w, b);
  EXPECT_EQ(y.sizes(), (std::vector<std::int64_t>{1, n.M, n.N}));
  std::vector<Tensor> all{y.detach()};
  for (const Tensor& d : grad({y}, {x, w, b}, {d_y.view({1, n.M, n.N})})) all.push_back(d);
  return all;
}

}  // namespace

TEST(Product, IsThatOfFloat64) {
  if (!have_wide()) GTEST_SKIP() << "this LibTorch has no oneDNN";
  const ProductsBy wide(Products::kWide);
  for (const ProductShape& n : kShapes)
    for (const bool cut : {false, true}) {
      const auto got = with_gradients(n, at::kFloat, cut),
                 want = with_gradients(n, at::kDouble, cut),
                 again = with_gradients(n, at::kFloat, cut);
      for (std::size_t at = 0; at < got.size(); ++at) {
        EXPECT_LT(difference(got[at], want[at]), kTolerance) << n.M << " " << n.K << " " << at;
        EXPECT_TRUE(got[at].equal(again[at])) << "from run to run";
      }
    }
}

TEST(Product, OfMatricesAndOfColumns) {
  if (!have_wide()) GTEST_SKIP() << "this LibTorch has no oneDNN";
  const ProductsBy wide(Products::kWide);
  for (const ProductShape& n : kShapes) {
    const Tensor a = numbers(n.M, n.K, 1), b = numbers(n.N, n.K, 2), c = numbers(n.M, n.N, 3);
    const auto as_double = [](const Tensor& x) { return x.to(at::kDouble); };
    EXPECT_LT(difference(product(a, b), at::mm(as_double(a), as_double(b).t())), kTolerance);
    EXPECT_LT(difference(product(c, b.t()), at::mm(as_double(c), as_double(b))), kTolerance);
    Tensor sum = numbers(n.K, n.N, 5);
    const Tensor want = as_double(sum) + at::mm(as_double(a).t(), as_double(c));
    add_product_of_columns(a, c, &sum);
    EXPECT_LT(difference(sum, want), kTolerance);
    sum.fill_(std::nan(""));
    add_product_of_columns(a, c, &sum, /*from_nothing=*/true);
    EXPECT_LT(difference(sum, at::mm(as_double(a).t(), as_double(c))), kTolerance);
  }
}

TEST(Product, HasSecondDerivatives) {
  if (!have_wide()) GTEST_SKIP() << "this LibTorch has no oneDNN";
  const ProductsBy wide(Products::kWide);
  const auto second = [](at::ScalarType type) {
    const Tensor x = numbers(300, 67, 1).to(type).requires_grad_(),
                 w = numbers(129, 67, 2).to(type).requires_grad_();
    const Tensor y = type == at::kDouble ? at::linear(x, w) : affine(x, w);
    const auto first = grad({y.square().mean()}, {x, w}, {}, std::nullopt, /*create_graph=*/true);
    return grad({first[0].square().sum() + first[1].square().sum()}, {x, w});
  };
  const auto got = second(at::kFloat), want = second(at::kDouble);
  for (std::size_t n = 0; n < got.size(); ++n)
    EXPECT_LT(difference(got[n], want[n]), 2 * kTolerance);
}

TEST(Product, UsesLibTorchWhereThatIsSelected) {
  const Tensor x = numbers(300, 67, 1), w = numbers(129, 67, 2);
  {
    const ProductsBy libtorch(Products::kLibTorch);
    EXPECT_FALSE(products_are_wide());
    EXPECT_TRUE(affine(x, w).equal(at::linear(x, w)));
  }
  const ProductsBy wide(Products::kWide);
  EXPECT_EQ(products_are_wide(), have_wide());
  for (const at::ScalarType type : {at::kDouble, at::kBFloat16})
    EXPECT_TRUE(affine(x.to(type), w.to(type)).equal(at::linear(x.to(type), w.to(type))));
  at::autocast::set_autocast_enabled(at::kCPU, true);
  EXPECT_EQ(affine(x, w).scalar_type(), at::kBFloat16);
  at::autocast::set_autocast_enabled(at::kCPU, false);
  at::autocast::clear_cache();
}

TEST(Product, OfNothingIsNothing) {
  const ProductsBy wide(Products::kWide);
  const Tensor none = numbers(4, 8, 1).narrow(0, 0, 0), w = numbers(16, 8, 2);
  EXPECT_EQ(affine(none, w).sizes(), (std::vector<std::int64_t>{0, 16}));
  EXPECT_EQ(product(none, w).sizes(), (std::vector<std::int64_t>{0, 16}));
}

}  // namespace lcsm
