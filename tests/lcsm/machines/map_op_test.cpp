// Formulas in one pass against tensor operations: values and gradients.
#include "lcsm/machines/map_op.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/isfinite.h>
#include <ATen/ops/zeros_like.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

#include "lcsm/tensors/tensor_formula.h"
#include "tests/lcsm/formula/random_formula.h"
#include "tests/lcsm/layer/layer_cases.h"

namespace lcsm {
namespace {

struct Shape {
  std::int64_t B = 2, T = 7, N = 5;
};

// Data over an axis [B, T, N], data [B, T, 1], learned over an axis [N]; sizes and the rest one
// number.
std::map<Symbol, at::Tensor> inputs_of(const Expr& e, const Shape& n, at::ScalarType dtype) {
  std::map<Symbol, at::Tensor> in;
  std::uint64_t seed = 1;
  for (const Symbol& s : symbols_of(e)) {
    const Type type = type_of(symbol(s));
    const bool axis = (type.k || type.d) && stem_of(s).name != "size";
    at::Tensor value = type.data ? random_input(n.B, n.T, axis ? n.N : 1, ++seed)
                                 : random_input(1, 1, axis ? n.N : 1, ++seed).view({-1});
    if (!type.data && !axis) value = value[0];
    in[s] = value.to(dtype).clone().requires_grad_();
  }
  return in;
}

// The value, and the gradient of its random weighting by each symbol.
std::vector<at::Tensor> map_op_with_gradients(const at::Tensor& value,
                                              const std::map<Symbol, at::Tensor>& in) {
  std::vector<at::Tensor> wanted, all{value.detach()};
  for (const auto& [s, tensor] : in) wanted.push_back(tensor);
  const at::Tensor weights =
      random_input(value.size(0), value.size(1), value.size(2), 99).to(value.scalar_type());
  std::vector<at::Tensor> d(wanted.size());
  if (value.requires_grad())  // not after step
    d = torch::autograd::grad({value}, wanted, {weights}, false, false, true);
  for (std::size_t n = 0; n < wanted.size(); ++n)
    all.push_back(d[n].defined() ? d[n] : at::zeros_like(wanted[n]));
  return all;
}

struct Both {
  std::vector<at::Tensor> got, expected;
};

Both both_ways(const Expr& e, const Shape& n, at::ScalarType dtype = at::kDouble) {
  const auto in = inputs_of(e, n, dtype);
  const auto value_of = [&](const Symbol& s) { return in.at(s); };
  const at::Tensor plain = evaluate_tensor(e, value_of, dtype).expand({n.B, n.T, n.N});
  return {map_op_with_gradients(MapFormula(e, n.N)(value_of, n.B, n.T), in),
          map_op_with_gradients(plain, in)};
}

bool tame(const std::vector<at::Tensor>& all) {
  for (const at::Tensor& tensor : all)
    if (!at::isfinite(tensor).all().item<bool>() || tensor.abs().max().item<double>() > 1e6)
      return false;
  return true;
}

void expect_alike(const Both& both, double tolerance) {
  for (std::size_t n = 0; n < both.expected.size(); ++n) {
    ASSERT_EQ(both.got[n].sizes(), both.expected[n].sizes()) << n;
    const double off = (both.got[n] - both.expected[n]).abs().max().item<double>();
    EXPECT_LE(off, tolerance * (1 + both.expected[n].abs().max().item<double>())) << n;
  }
}

const std::string kMixed = "exp(-softplus(p_d * w_d + p)) * w + tanh(p_d2 - w_d2)";

}  // namespace

TEST(MapFormula, IsTheFormulaOverTensors) {
  for (const Shape& n : {Shape{1, 1, 1}, {2, 7, 1}, {1, 1, 5}, {2, 7, 5}, {3, 65, 33}})
    for (const std::string& text : {kMixed, std::string("sigmoid(p) * w"), std::string("p_d")}) {
      SCOPED_TRACE(text + " on " + std::to_string(n.T) + " x " + std::to_string(n.N));
      expect_alike(both_ways(parse_formula(text), n), 1e-13);
      // Sums of up to 6435 numbers, each accurate to about 2e-7.
      expect_alike(both_ways(parse_formula(text), n, at::kFloat), 1e-5);
    }
}

// The parts of a formula, and so their rounding, can be a thousand times its value.
TEST(MapFormula, IsAnyFormulaOverTensors) {
  test::RandomFormula random(41);
  int compared = 0;
  for (int n = 0; n < 500; ++n) {
    const Expr e =
        substitute(random.expr(2 + static_cast<int>(random.below(12))),
                   [](const Symbol& s) { return stem_of(s).name == "tau" ? number(8) : nullptr; });
    if (symbols_of(e).empty()) continue;
    const Both both = both_ways(e, {});
    if (!tame(both.expected)) continue;
    SCOPED_TRACE("seed 41: " + to_string(e));
    expect_alike(both, 1e-9);
    ++compared;
  }
  EXPECT_GT(compared, 200);
}

TEST(MapFormula, IsTheSameFromRunToRunOnFourThreads) {
  const Threads four(4);
  const Both one = both_ways(parse_formula(kMixed), {4, 500, 64});
  const Both again = both_ways(parse_formula(kMixed), {4, 500, 64});
  expect_alike(one, 1e-12);  // 128 000 numbers in a sum
  for (std::size_t n = 0; n < one.got.size(); ++n) EXPECT_TRUE(one.got[n].equal(again.got[n]));
}

TEST(MapFormula, ReadsTensorsThatAreNotContiguous) {
  const Expr e = parse_formula("sigmoid(p_d) * w_d");
  const at::Tensor p = random_input(2, 5, 7, 1).transpose(1, 2), w = random_input(1, 5, 2, 2)[0];
  const auto value_of = [&](const Symbol& s) {
    return stem_of(s).name == "p" ? p : w.select(1, 0);
  };
  const at::Tensor got = MapFormula(e, 5)(value_of, 2, 7);
  const at::Tensor off = got - evaluate_tensor(e, value_of, at::kDouble);
  EXPECT_LE(off.abs().max().item<double>(), 1e-15);
}

}  // namespace lcsm
