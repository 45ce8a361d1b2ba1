// Weights that are rounded at once have the bits of those that autocast rounds one by one.
#include "lcsm/tensors/rounded.h"

#include <ATen/TensorOperators.h>
#include <gtest/gtest.h>

#include <optional>
#include <stdexcept>

#include "lcsm/tensors/product.h"
#include "tests/lcsm/layer/layer_cases.h"
#include "tests/lcsm/tensors/autocast.h"

namespace lcsm::test {
namespace {

using at::Tensor;

Tensor drawn(std::int64_t rows, std::int64_t columns, std::uint64_t seed) {
  return random_input(1, rows, columns, seed)[0].to(at::kFloat).detach().requires_grad_();
}

// Results and gradients of products with two weights, one of them used twice, one without a bias.
Tensors everything_of(bool at_once) {
  const Tensor w = drawn(6, 5, 1), b = drawn(1, 6, 2)[0].detach().requires_grad_(),
               v = drawn(5, 6, 3), unread = drawn(3, 3, 4), x = drawn(7, 5, 5);
  Tensor y;
  {
    const Autocast autocast;
    std::optional<RoundedWeights> rounded;
    if (at_once) rounded.emplace(Tensors{w, b, v, unread});
    y = affine(affine(affine(x, w, b), v), w, b);
  }
  EXPECT_EQ(y.scalar_type(), at::kBFloat16);
  (y.to(at::kFloat) * drawn(7, 6, 6).detach()).sum().backward();
  EXPECT_FALSE(unread.grad().defined());
  return {y.detach(), x.grad(), w.grad(), b.grad(), v.grad()};
}

}  // namespace

TEST(RoundedWeights, HaveTheBitsOfAutocasts) {
  const Tensors got = everything_of(true), expected = everything_of(false);
  for (std::size_t n = 0; n < expected.size(); ++n) {
    EXPECT_EQ(got[n].scalar_type(), expected[n].scalar_type()) << n;
    EXPECT_TRUE(got[n].equal(expected[n])) << n;
  }
}

TEST(RoundedWeights, BeginWhereProductsWantThem) {
  const Tensors weights = {drawn(3, 5, 1), drawn(1, 7, 2), drawn(2, 8, 3)};
  const RoundedWeights now(weights);
  for (const Tensor& weight : weights) {
    const Tensor there = rounded(weight);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(there.const_data_ptr()) % 16, 0u);
    EXPECT_TRUE(there.equal(weight.to(at::kBFloat16)));
  }
}

TEST(RoundedWeights, EndWithTheirOwner) {
  const Tensor weight = drawn(3, 5, 1), other = drawn(3, 5, 2);
  {
    const RoundedWeights now({weight});
    EXPECT_EQ(rounded(weight).scalar_type(), at::kBFloat16);
    EXPECT_TRUE(rounded(other).is_same(other));
    EXPECT_FALSE(rounded({}).defined());
    EXPECT_THROW(RoundedWeights({other}), std::logic_error);
  }
  EXPECT_TRUE(rounded(weight).is_same(weight));
  const RoundedWeights none({});
  EXPECT_TRUE(rounded(weight).is_same(weight));
}

}  // namespace lcsm::test
