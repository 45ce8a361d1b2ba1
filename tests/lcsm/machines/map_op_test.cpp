// Formulas in one pass against tensor operations: values and gradients.
#include "lcsm/machines/map_op.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/isfinite.h>
#include <ATen/ops/zeros_like.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

#include "lcsm/cuda/driver/nvrtc.h"
#include "lcsm/tensors/tensor_formula.h"
#include "tests/lcsm/formula/random_formula.h"
#include "tests/lcsm/layer/fake_tensors.h"
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

namespace {

class MapFormulaOnAGpu : public testing::Test {
 protected:
  void SetUp() override {
    if (!nvrtc_missing().empty()) GTEST_SKIP() << nvrtc_missing();
  }
  // p_d2 has the second type, other symbols over the data the first. Others are float32.
  std::map<Symbol, at::Tensor> inputs(const Expr& e, const Shape& n, at::ScalarType type,
                                      at::ScalarType second) {
    std::map<Symbol, at::Tensor> in = inputs_of(e, n, at::kDouble);
    for (auto& [s, tensor] : in) {
      const bool data = type_of(symbol(s)).data;
      const at::ScalarType own = !data ? at::kFloat : to_string(s) == "p_d2" ? second : type;
      tensor = tensor.detach().to(at::kBFloat16).to(own).requires_grad_();
    }
    return in;
  }
  // The value in this type, and the gradients; none without a kernel.
  std::vector<at::Tensor> on(const Expr& e, const Shape& n, const std::map<Symbol, at::Tensor>& in,
                             at::ScalarType type) {
    const auto value_of = [&](const Symbol& s) { return in.at(s); };
    const at::Tensor y = MapFormula(e, n.N).on(fake_.gpu(), value_of, n.B, n.T, type);
    EXPECT_EQ(fake_.findings(), "");
    return y.defined() ? gradients_beside(y, in) : std::vector<at::Tensor>();
  }
  static std::vector<at::Tensor> gradients_beside(const at::Tensor& y,
                                                  const std::map<Symbol, at::Tensor>& in) {
    std::vector<at::Tensor> wanted, all{y.detach()};
    for (const auto& [s, tensor] : in)
      if (tensor.requires_grad()) wanted.push_back(tensor);
    const at::Tensor weights =
        random_input(y.size(0), y.size(1), y.size(2), 99).to(at::kBFloat16).to(y.scalar_type());
    for (const at::Tensor& d : torch::autograd::grad({y}, wanted, {weights})) all.push_back(d);
    return all;
  }
  void expect_right(const std::string& text, const Shape& n, at::ScalarType leaves,
                    at::ScalarType second, at::ScalarType type) {
    SCOPED_TRACE(text + " " + at::toString(leaves) + " to " + at::toString(type));
    const Expr e = parse_formula(text);
    const auto in = inputs(e, n, leaves, second);
    std::map<Symbol, at::Tensor> wide;
    for (const auto& [s, tensor] : in)
      wide[s] = tensor.detach().to(at::kDouble).requires_grad_(tensor.requires_grad());
    const auto value_of = [&](const Symbol& s) { return wide.at(s); };
    const auto got = on(e, n, in, type);
    const auto expected =
        gradients_beside(evaluate_tensor(e, value_of, at::kDouble).expand({n.B, n.T, n.N}), wide);
    ASSERT_EQ(got.size(), expected.size());
    EXPECT_EQ(got[0].scalar_type(), type);
    for (std::size_t k = 0; k < got.size(); ++k)
      EXPECT_LE((got[k] - expected[k]).abs().max().item<double>(),
                (got[k].scalar_type() == at::kFloat ? 2e-6 : 0x1p-8) *
                    expected[k].abs().max().item<double>())
          << k;
  }

  test::FakeGpu fake_;
  const test::FakeTensors tensors_{&fake_};
};

}  // namespace

TEST_F(MapFormulaOnAGpu, IsTheFormulaOverTensors) {
  for (const Shape& n : {Shape{2, 7, 1}, {2, 7, 5}, {3, 65, 8}})
    for (const at::ScalarType leaves : {at::kFloat, at::kBFloat16})
      for (const at::ScalarType type : {at::kFloat, at::kBFloat16})
        for (const char* text :
             {"sigmoid(p_d)^(1/8)", "log(sigmoid(p_d)) / 16", "exp(-softplus(p_d) / 4)",
              "tanh(p_d * p_d2) - softplus(p_d) * w_d + w", "sigmoid(p) * p_d + w_d2 * w"})
          expect_right(text, n, leaves, leaves, type);
  expect_right("tanh(p_d * p_d2)", {}, at::kFloat, at::kBFloat16, at::kFloat);
  expect_right("tanh(p + w_d)", {}, at::kBFloat16, at::kBFloat16, at::kFloat);
}

// Rows of several tiles of columns; more rows than the blocks take at once; four rows of 5
// columns, which are not read in fours although there are 20 cells.
TEST_F(MapFormulaOnAGpu, AddsUpManyRowsAndColumns) {
  for (const Shape& n : {Shape{2, 2, 5}, {1, 9, 133}, {2, 33, 264}, {1, 4099, 1}, {2, 1025, 4}})
    expect_right("sigmoid(p * w_d) * p_d + w * p_d", n, at::kFloat, at::kFloat, at::kFloat);
}

TEST_F(MapFormulaOnAGpu, GivesTheGradientsThatAreWanted) {
  const Expr e = parse_formula("sigmoid(p) * p_d * w_d + w");
  for (const char* only : {"p", "p_d", "w_d", "w"}) {
    auto in = inputs(e, {}, at::kFloat, at::kFloat);
    const auto all = on(e, {}, in, at::kFloat);
    std::size_t wanted = 0;
    for (auto& [s, tensor] : in) tensor.requires_grad_(s == parse_symbol(only));
    while (std::next(in.begin(), static_cast<std::ptrdiff_t>(wanted))->first != parse_symbol(only))
      ++wanted;
    const auto got = on(e, {}, in, at::kFloat);
    ASSERT_EQ(got.size(), 2) << only;
    EXPECT_TRUE(got[1].equal(all[wanted + 1])) << only;
  }
}

TEST_F(MapFormulaOnAGpu, HasNoKernel) {
  const auto has_kernel = [&](const char* text, at::ScalarType learned) {
    const Expr e = parse_formula(text);
    auto in = inputs(e, {}, at::kFloat, at::kFloat);
    for (auto& [s, tensor] : in)
      if (!type_of(symbol(s)).data) tensor = tensor.detach().to(learned).requires_grad_();
    return !on(e, {}, in, at::kFloat).empty();
  };
  EXPECT_TRUE(has_kernel("p_d * w_d", at::kFloat));
  EXPECT_FALSE(has_kernel("p_d * w_d", at::kDouble));
  EXPECT_FALSE(has_kernel("tanh(w_d)", at::kFloat));  // it does not vary with the data
  EXPECT_TRUE(has_kernel("p + p2 + p3 + p4 + p_d + p_d2 + p_d3 + p_d4", at::kFloat));
  EXPECT_FALSE(has_kernel("p + p2 + p3 + p4 + p_d + p_d2 + p_d3 + p_d4 + w", at::kFloat));
}

}  // namespace lcsm
