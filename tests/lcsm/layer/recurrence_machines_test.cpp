// Each machine against the definition: values, the state, and the gradient of every input.
#include <ATen/TensorOperators.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/isfinite.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/sign.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

#include <cmath>
#include <set>
#include <string>

#include "lcsm/code/plan.h"
#include "lcsm/layer/compiled.h"
#include "tests/lcsm/layer/layer_cases.h"
#include "tests/lcsm/layer/machine_cases.h"

namespace lcsm {
namespace {

RecurrenceInputs in_float64(const RecurrenceInputs& in) { return moved(in, at::kDouble); }

void expect_the_definition(const std::string& code, const CaseShape& shape, double tolerance) {
  SCOPED_TRACE(code + " B=" + std::to_string(shape.B) + " T=" + std::to_string(shape.T));
  const Variant v = small_variant(code);
  const RecurrenceInputs in = random_inputs(v, shape, 1 + static_cast<std::uint64_t>(shape.T));
  expect_alike(everything(v, in, Backend::kMachine), everything(v, in, Backend::kReference),
               tolerance);
}

Variant variant_of(const std::string& formula, const Sizes& sizes) {
  OscillationText text;
  text.name = "product";
  text.o = formula;
  Catalogue catalogue;
  catalogue.add(make_oscillation(text));
  return make_variant(parse_code("1-product-1-0", catalogue), catalogue, sizes);
}

}  // namespace

TEST(RecurrenceMachines, AgreesWithTheDefinition) {
  const Threads one(1);
  for (const std::string& code : row_codes())
    for (const std::int64_t T : {1, 2, 63, 64, 65}) {
      expect_the_definition(code, {.B = 1, .T = T}, 1e-10);
      expect_the_definition(code, {.B = 3, .T = T, .continues = true}, 1e-10);
    }
}

// Decays from none to e^-50 per step. The gradient of a value that reads the decayed memory is a
// difference of numbers of size 1. Their rounding remains after the memory has decayed: hence the
// floor.
TEST(RecurrenceMachines, ADecayingDeltaRuleAgreesWithTheDefinition) {
  const Threads one(1);
  for (const std::string code : {"fwp", "m2"})
    for (const std::int64_t T : {1, 2, 65, 200})
      for (const double reach : {0.0, 0.1, 3.0, 50.0}) {
        SCOPED_TRACE(code + " T=" + std::to_string(T) + " reach=" + std::to_string(reach));
        const Variant v = small_variant(code, {37, 3});
        RecurrenceInputs in = random_inputs(v, {.B = 2, .T = T, .continues = T != 2}, 5);
        in.log_decay = -reach * random_input(2, T, 1, 8).squeeze(2).abs();
        expect_near(everything(v, in, Backend::kMachine), everything(v, in, Backend::kReference),
                    1e-9, 1e-12);
      }
}

// A thousand steps of one code per machine, and 65 of the others. Compares float64 and float32
// results on equal inputs with one run of the definition, which takes most of the time. In float32
// a step rounds by 6e-8, and a gate accumulates some 20 of them; gate gradients are differences of
// such sums, and the delta rule feeds back what it reads. The largest error seen is 1.2e-5.
TEST(RecurrenceMachines, AgreesWithTheDefinitionOverAThousandSteps) {
  const Threads one(1);
  std::set<std::string> machines;
  for (const std::string& code : row_codes()) {
    const Variant v = small_variant(code);
    const std::int64_t T = machines.insert(short_summary(plan_of(v))).second ? 1000 : 65;
    SCOPED_TRACE(code + " T=" + std::to_string(T));
    const CaseShape shape{.B = 2, .T = T, .continues = T == 1000};
    const RecurrenceInputs in = random_inputs(v, shape, 6, at::kFloat), wide = in_float64(in);
    const auto expected = everything(v, wide, Backend::kReference);
    expect_alike(everything(v, wide, Backend::kMachine), expected, 1e-10);
    expect_near(everything(v, in, Backend::kMachine), expected, 3e-5);
  }
  EXPECT_GE(machines.size(), 5u);
}

// Gates that the scan's passes compute themselves in float32, and gates whose gradient they spend,
// in tiles of one and two rows and vectors. The bound is the one above.
TEST(RecurrenceMachines, AgreesWithTheDefinitionWhereAGateIsAFunctionOfAProduct) {
  const Threads one(1);
  for (const char* const formula :
       {"exp(-softplus(p_d) * exp(w_kd))", "exp(-softplus(p_k) * exp(w_kd))",
        "exp(-softplus(p_d) * exp(w_d) * sigmoid(w_kd))", "sigmoid(p_k * w_kd)^(1/8)",
        "sigmoid(p_d * w_kd)^(1/3)", "0.9 * exp(-softplus(p_k) * exp(w_d))"})
    for (const Sizes sizes : {Sizes{3, 1}, Sizes{16, 2}, Sizes{33, 3}, Sizes{80, 4}})
      for (const std::int64_t T : {1, 65, 200}) {
        SCOPED_TRACE(std::string(formula) + " D=" + std::to_string(sizes.d) +
                     " T=" + std::to_string(T));
        const Variant v = variant_of(formula, sizes);
        const RecurrenceInputs in =
            random_inputs(v, {.B = 2, .T = T, .continues = true}, 9, at::kFloat);
        expect_near(everything(v, in, Backend::kMachine),
                    everything(v, in_float64(in), Backend::kReference), 3e-5);
      }
}

// Where the gate reads the input's scale, the scan multiplies the input; the last shape divides the
// rows of the memory among threads.
TEST(RecurrenceMachines, AgreesWithTheDefinitionWhereTheGateReadsTheInputsScale) {
  const Threads four(4);
  struct Case {
    Sizes sizes;
    CaseShape shape;
  };
  const auto expect = [](const std::string& o, const std::string& scale, bool by_the_scan) {
    Catalogue custom;
    custom.add(make_oscillation({.name = "scaled", .o = o, .scale = scale}));
    for (const auto& [sizes, shape] :
         {Case{{3, 1}, {.B = 2, .T = 1}}, Case{{5, 33}, {.B = 2, .T = 65, .continues = true}},
          Case{{4, 16}, {.B = 3, .T = 100}},
          Case{{64, 3}, {.B = 1, .T = 1100, .continues = true}}}) {
      SCOPED_TRACE(o + ", " + scale + " T=" + std::to_string(shape.T));
      const Variant v = make_variant(parse_code("1-scaled-1-0", custom), custom, sizes);
      EXPECT_EQ(Compiled(v).scan->scaled_by >= 0, by_the_scan);
      const RecurrenceInputs in = random_inputs(v, shape, 4, at::kFloat), wide = in_float64(in);
      const auto expected = everything(v, wide, Backend::kReference);
      expect_alike(everything(v, wide, Backend::kMachine), expected, 1e-10);
      expect_near(everything(v, in, Backend::kMachine), expected, 3e-5);
    }
  };
  expect("exp(-softplus(p_d) * exp(w_kd))", "softplus(p_d)", true);
  expect("sigmoid(exp(p_d) * w_kd) * exp(-exp(p_d))", "exp(p_d)", true);
  expect("exp(-softplus(p_d) * exp(w_kd))", "sigmoid(p_d)", false);
}

// Before the loop or inside it, from every part of a gate.
TEST(RecurrenceMachines, AgreesWithTheDefinitionWhereARealScaleIsMadeOfAComplexGate) {
  const Threads one(1);
  for (const char* const gate :
       {"sigmoid(p_k) * rotate(w_k)", "sigmoid(p_d) * rotate(p_k)", "tanh(p_k) * rotate(p)",
        "sigmoid(p_k * w_d) * rotate(w_k)", "cumsoftmax(p_k) * rotate(w_k)"})
    for (const char* const scale : {"abs(q - 1)", "abs(q)", "abs(rotate(w_k)) * sqrt(1 + o)"}) {
      SCOPED_TRACE(std::string(gate) + ", " + scale);
      Catalogue custom;
      custom.add(make_oscillation({.name = "turned", .o = gate, .scale = scale}));
      const Variant v = make_variant(parse_code("1-turned-1-0", custom), custom, {5, 3});
      ASSERT_TRUE(plan_of(v).rotates);
      const RecurrenceInputs in = random_inputs(v, {.B = 2, .T = 65, .continues = true}, 9);
      expect_alike(everything(v, in, Backend::kMachine), everything(v, in, Backend::kReference),
                   1e-9);
    }
}

TEST(RecurrenceMachines, AgreesWithTheDefinitionWhereLogitsAreStatic) {
  const Threads one(1);
  for (const char* const formula :
       {"cumsoftmax(w)", "cumsoftmax(w_k)", "cumsoftmax(w_d) * sigmoid(p_k)",
        "cumsoftmax(slope_k) * rotate(w_k)", "cumsoftmax(p / size_k) * sigmoid(p_k * w_d)"}) {
    SCOPED_TRACE(formula);
    const Variant v = variant_of(formula, {5, 3});
    for (const bool continues : {false, true}) {
      const RecurrenceInputs in = random_inputs(v, {.B = 2, .T = 65, .continues = continues}, 9);
      expect_near(everything(v, in, Backend::kMachine), everything(v, in, Backend::kReference),
                  1e-9, 1e-9);
    }
  }
}

// Half of the gradient for each operand, as at padding, where all projections are 0.
TEST(RecurrenceMachines, SharesTheGradientOfAMinimumAmongEqualOperands) {
  const Threads one(1);
  for (const char* const formula :
       {"sigmoid(max(p_k, 0))", "sigmoid(min(p_k, p_k2) - max(p_k, w_k))",
        "max(sigmoid(p_k), sigmoid(p_d))", "sigmoid(min(p_k * w_d, p_d))",
        "min(sigmoid(w_k), sigmoid(w_d)) * rotate(w_kd)"}) {
    SCOPED_TRACE(formula);
    const Variant v = variant_of(formula, {5, 3});
    const RecurrenceInputs in = random_inputs(v, {.B = 2, .T = 9, .reach = 0}, 9);
    expect_alike(everything(v, in, Backend::kMachine), everything(v, in, Backend::kReference),
                 1e-10);
  }
}

// exp(p) exceeds float32 there, and the gradient by it is 0.
TEST(RecurrenceMachines, StaysFiniteWhereAnExponentialOverflows) {
  const Threads one(1);
  for (const char* const formula :
       {"0.5 + 0.5 / (1 + exp(p_k))", "0.5 + 0.5 / (1 + exp(p_k + p_d))", "exp(-exp(p_k))",
        "exp(-exp(p_k * w_d))", "1 - exp(-exp(p_d))", "tanh(exp(p_k - w_d))",
        "0.5 * exp(-exp(w_kd)) + 0.5 * sigmoid(p_k)",
        "tanh(exp(p_d + w_k) / (1 + exp(p_d + w_k)))"}) {
    SCOPED_TRACE(formula);
    const Variant v = variant_of(formula, {16, 3});
    const RecurrenceInputs in = random_inputs(v, {.B = 2, .T = 65, .reach = 100}, 9, at::kFloat);
    const at::Tensor y = Recurrence(v)(in_float64(in), Backend::kReference).y;
    for (const Backend backend : {Backend::kMachine, Backend::kReference}) {
      const auto all = everything(v, in, backend);
      for (const auto& [name, tensor] : all)
        EXPECT_TRUE(at::isfinite(tensor).all().item<bool>()) << name;
      expect_near({{"y", all.at("y")}}, {{"y", y}}, 3e-5);
    }
  }
}

// An empty batch, as from a router that sends a block no sequence.
TEST(RecurrenceMachines, TakesABatchOfNoSequences) {
  for (const std::string& code : row_codes()) {
    SCOPED_TRACE(code);
    const Variant v = small_variant(code);
    const RecurrenceInputs in =
        random_inputs(v, {.B = 0, .T = 9, .continues = true}, 9, at::kFloat);
    const auto expected = everything(v, in, Backend::kReference);
    for (const auto& [name, tensor] : everything(v, in, Backend::kMachine)) {
      EXPECT_EQ(tensor.sizes(), expected.at(name).sizes()) << name;
      EXPECT_EQ(tensor.abs().sum().item<double>(), 0) << name;
    }
  }
}

// A row of the memory whose gate closes at once, beside rows that remember: exp(w) is infinite, or
// so large that its product with log2(e) is.
TEST(RecurrenceMachines, ClosesAGateWhoseExponentIsInfinite) {
  const Threads one(1);
  const Variant v = small_variant("ssm", {33, 4});
  RecurrenceInputs in = random_inputs(v, {.B = 1, .T = 70}, 9, at::kFloat);
  const at::NoGradGuard none;
  for (auto& [symbol, w] : in.symbols)
    if (to_string(symbol) == "w_kd") {
      w[1].fill_(200);
      w[2].fill_(88.5);
      w[3][7] = 200;
    }
  const at::Tensor y = Recurrence(v)(in, Backend::kMachine).y;
  EXPECT_TRUE(at::isfinite(y).all().item<bool>());
  expect_near({{"y", y}}, {{"y", Recurrence(v)(in_float64(in), Backend::kReference).y}}, 3e-5);
}

// Where relu is 0 its slope is 0, and that of a root infinite. The slope by an exponent is 0 there,
// times an infinite logarithm; 0^0 is 1.
TEST(RecurrenceMachines, TakesARootOfAClosedGate) {
  const Threads one(1);
  for (const char* const formula :
       {"min(relu(p_k), 1)^(1/tau)", "sqrt(relu(tanh(p_d)))", "exp(-relu(p_k)^0.5) * sigmoid(w_d)",
        "sigmoid(relu(p_k)^sigmoid(w_d))", "exp(-relu(p_d)^softplus(w_kd))",
        "exp(-(index_k / size_k)^sigmoid(p_d))", "exp(-sqrt(relu(p_k) * relu(p_d)))",
        "exp(-sqrt(relu(p_k) + relu(p_d)))", "exp(-(relu(p_k) * relu(w_d))^0.3)",
        "exp(-sqrt(relu(w_k) * relu(w_d)) * sigmoid(p_k))", "exp(-sqrt(index_k * sigmoid(p_d)))",
        "exp(-relu(p_k)^relu(p_k2))", "exp(-relu(p_k)^relu(p_d))"}) {
    SCOPED_TRACE(formula);
    const Variant v = variant_of(formula, {5, 3});
    const RecurrenceInputs in = random_inputs(v, {.B = 2, .T = 65, .continues = true}, 3);
    expect_alike(everything(v, in, Backend::kMachine), everything(v, in, Backend::kReference),
                 1e-10);
  }
}

// Where a sigmoid rounds to 0 its negative power is infinite, and the gate closed.
TEST(RecurrenceMachines, TakesANegativePowerOfWhatRoundsToZero) {
  const Threads one(1);
  for (const char* const formula :
       {"exp(-sigmoid(p_k)^(0 - 0.5))", "exp(-sigmoid(p_d)^(0 - sigmoid(w_d)))"}) {
    SCOPED_TRACE(formula);
    const Variant v = variant_of(formula, {5, 3});
    RecurrenceInputs in = random_inputs(v, {.B = 2, .T = 65, .reach = 2000, .continues = true}, 3);
    const at::NoGradGuard none;
    for (auto& [symbol, value] : in.symbols)
      if (to_string(symbol) == "w_d") value.mul_(1e-3);
    const Recurrence recurrence(v);
    const at::Tensor y = recurrence(in, Backend::kReference).y;
    EXPECT_TRUE(at::isfinite(y).all().item<bool>());
    expect_near({{"y", recurrence(in, Backend::kMachine).y}}, {{"y", y}}, 1e-10);
  }
}

// The gate rounds to 0 there and its logarithm to minus infinity, whose slope is infinite. 1e-7: a
// difference near 0 has few digits.
TEST(RecurrenceMachines, TakesTheLogarithmOfAGateThatRoundsToZero) {
  const Threads one(1);
  for (const char* const formula :
       {"1 - exp(-softplus(p_k))", "1 - exp(-softplus(p_k) * softplus(p_d))",
        "sqrt(1 - sigmoid(p_d)^2)", "sqrt(1 - sigmoid(p_k + p_d)^2)",
        "log(1 + sigmoid(p_k * w_kd))", "(1 - exp(-softplus(p_k))) * rotate(p_d)"}) {
    SCOPED_TRACE(formula);
    const Variant v = variant_of(formula, {5, 3});
    const RecurrenceInputs in =
        random_inputs(v, {.B = 2, .T = 65, .reach = 40, .continues = true}, 3);
    expect_near(everything(v, in, Backend::kMachine), everything(v, in, Backend::kReference), 1e-7);
  }
}

// log o is steep there: the gradient of a closed gate must not be multiplied by rounding error.
TEST(RecurrenceMachines, GivesAClosedGateNoGradientOfRounding) {
  const Threads one(1);
  for (const char* const formula : {"exp(-exp(p_k + 2))", "exp(-exp(p_d + 2))"}) {
    SCOPED_TRACE(formula);
    const Variant v = variant_of(formula, {8, 8});
    ASSERT_EQ(plan_of(v).machine, Machine::kChunk);
    RecurrenceInputs in = random_inputs(v, {.B = 2, .T = 70}, 9, at::kFloat);
    const at::NoGradGuard none;
    for (auto& [symbol, value] : in.symbols) value.mul_(3);
    const at::AutoGradMode learns(true);
    expect_near(everything(v, in, Backend::kMachine),
                everything(v, in_float64(in), Backend::kReference), 3e-5);
  }
}

// Uses one or two sequences, and more threads than they have column groups: the scan is cut by rows
// of the memory, the others in time; long enough that all threads are started. The sums differ from
// one thread's, but are equal each time.
TEST(RecurrenceMachines, GivesTheSameForAnyNumberOfThreads) {
  const Threads put_back(1);
  for (const std::string& code : row_codes())
    for (const std::int64_t B : {1, 2}) {
      const Variant v = small_variant(code, {5, 33});
      const RecurrenceInputs in = random_inputs(v, {.B = B, .T = 4000, .continues = true}, 5);
      at::set_num_threads(1);
      const auto one = everything(v, in, Backend::kMachine);
      at::set_num_threads(4);
      const auto four = everything(v, in, Backend::kMachine),
                 again = everything(v, in, Backend::kMachine);
      SCOPED_TRACE(code + " B=" + std::to_string(B));
      expect_alike(four, one, 1e-10);
      for (const auto& [name, tensor] : four)
        EXPECT_TRUE(at::equal(tensor, again.at(name))) << name;
    }
}

// bfloat16 has 8 bits: outputs and gradients are rounded by 2^-9 of themselves; 2^-8 leaves room
// for the float32 sums inside.
TEST(RecurrenceMachines, RoundsOnlyInputsAndOutputsInBfloat16) {
  const Threads one(1);
  for (const std::string& code : row_codes()) {
    SCOPED_TRACE(code);
    const Variant v = small_variant(code);
    const RecurrenceInputs in =
        random_inputs(v, {.B = 2, .T = 100, .continues = true}, 7, at::kBFloat16);
    const auto got = everything(v, in, Backend::kMachine);
    EXPECT_EQ(got.at("y").scalar_type(), at::kBFloat16);
    EXPECT_EQ(got.at("state.m").scalar_type(), at::kFloat);
    expect_near(got, everything(v, in_float64(in), Backend::kReference), 1.0 / 256);
  }
}

// Logits of 30 and -30 at random for every step: gates of 1 - 1e-13 and 1e-13, and their products.
// The gradients of such gates are near 1e-13 themselves, and the chunk machine computes them as
// differences of numbers near 1: hence the floor.
TEST(RecurrenceMachines, TakesLogitsOfThirty) {
  const Threads one(1);
  for (const std::string& row : row_codes()) {
    const Variant plain = small_variant(row);
    if (plain.oscillation.matrix || plain.code.fixed || plain.oscillation.growth) continue;
    Variant v = plain;
    v.code.tau = 1;
    SCOPED_TRACE(row);
    RecurrenceInputs in = random_inputs(v, {.B = 2, .T = 130, .continues = true}, 8);
    for (auto& [symbol, tensor] : in.symbols)
      if (stem_of(symbol).source != Source::kFixed) tensor = at::sign(tensor) * 30;
    if (row == "ssm") in.symbols.at(parse_symbol("w_kd")).div_(10);
    // The exponentials of three such logits, multiplied, exceed float32, and an angle of that size
    // has no digits.
    for (auto& [symbol, tensor] : in.symbols)
      if (v.oscillation.read) tensor = tensor / 10;
    expect_alike(everything(v, in, Backend::kMachine), everything(v, in, Backend::kReference),
                 1e-10, 1e-12);
    for (auto* tensor : {&in.i, &in.e, &in.s, &in.s_imaginary, &in.state.m, &in.state.log_sum})
      if (tensor->defined()) *tensor = tensor->to(at::kFloat);
    for (auto& [symbol, tensor] : in.symbols) tensor = tensor.to(at::kFloat);
    for (const auto& [name, tensor] : everything(v, in, Backend::kMachine))
      EXPECT_TRUE(at::isfinite(tensor).all().item<bool>()) << name;
  }
}

TEST(RecurrenceMachines, TurnsByTheExactAngleAfterAHundredThousandSteps) {
  const Variant v = small_variant("1-11-1-0");
  constexpr std::int64_t kSteps = 100000;
  RecurrenceInputs in = random_inputs(v, {.B = 1, .T = kSteps}, 9, at::kFloat);
  in.i.zero_();
  in.i.select(1, 0).fill_(1);
  in.e.fill_(1);
  in.s.fill_(1);
  // Written at the first step, read at the last: sum_k cos((T - 1) theta_k).
  double expected = 0;
  for (int k = 0; k < v.sizes.k; ++k)
    expected +=
        std::cos(std::fmod((kSteps - 1) * fixed_value(parse_symbol("theta_k"), v.sizes, k, 0),
                           2 * 3.14159265358979323846));
  const at::Tensor last = Recurrence(v)(in).y.select(1, kSteps - 1);
  EXPECT_NEAR(last.max().item<double>(), expected, 1e-5);
  EXPECT_NEAR(last.min().item<double>(), expected, 1e-5);
}

// An impulse, then 100 000 steps that only rotate, and nearly do not decay: y is the real part of a
// power of o, and the gradient of the impulse is the gradient of the last y. Rounding o to float32
// once per step would be off by some 1e-3; rounding m, at random, gives 6e-8 times the root of the
// steps in each of three rows.
TEST(RecurrenceMachines, KeepsThePhasesOfStaticGatesOverAHundredThousandSteps) {
  constexpr std::int64_t kSteps = 100000;
  Catalogue custom;
  custom.add(make_oscillation({.name = "turn", .o = "exp(-w_k^2) * rotate(w_kd)"}));
  const Variant v = make_variant(parse_code("1-turn-1-0", custom), custom, {5, 3});
  RecurrenceInputs in = random_inputs(v, {.B = 1, .T = kSteps}, 13, at::kFloat);
  in.symbols.at(parse_symbol("w_k")).fill_(3e-4);
  for (at::Tensor* stage : {&in.e, &in.s}) stage->fill_(1);
  in.i.zero_().select(1, 0).fill_(1);
  in.i.requires_grad_();
  const at::Tensor last = Recurrence(v)(in).y.select(1, kSteps - 1);
  const at::Tensor w = in.symbols.at(parse_symbol("w_k")).to(at::kDouble).unsqueeze(1);
  const at::Tensor angle = in.symbols.at(parse_symbol("w_kd")).to(at::kDouble);
  const auto n = static_cast<double>(kSteps - 1);
  const at::Tensor expected = ((-n * w * w).exp() * (n * angle).cos()).sum(0);
  EXPECT_LT((last[0] - expected).abs().max().item<double>(), 6e-5);
  const at::Tensor d_i = torch::autograd::grad({last.sum()}, {in.i})[0];
  EXPECT_LT((d_i[0][0] - expected).abs().max().item<double>(), 6e-5);
}

TEST(RecurrenceMachines, CountsToAHundredThousandWithoutDrift) {
  const Variant v = small_variant("1-10-1-0");
  const at::Tensor i = at::ones({1, 100000, v.sizes.d}), e = at::ones({1, 100000, v.sizes.k});
  const RecurrenceResult r = Recurrence(v)({i, e, e, {}, {}});
  EXPECT_TRUE(at::equal(r.state.m, at::zeros_like(r.state.m) + 100000));
  EXPECT_TRUE(at::equal(r.y.select(1, 99999), at::zeros({1, 5}) + 300000));
}

// Many steps of a machine in float32 against float64.
TEST(RecurrenceMachines, DoesNotDriftOverAHundredThousandSteps) {
  for (const std::string code : {"1-1-1-0", "1-4-1-0", "1-9-1-0", "1-12-1-0", "ssm", "fwp",
                                 "1-ces-1-0", "1-lru-1-0", "1-ema-1-0", "0-11-1-0"}) {
    SCOPED_TRACE(code);
    const Variant v = small_variant(code);
    const RecurrenceInputs in = random_inputs(v, {.B = 1, .T = 100000}, 10, at::kFloat);
    const at::Tensor got = Recurrence(v)(in).y.to(at::kDouble);
    const at::Tensor expected = Recurrence(v)(in_float64(in)).y;
    const double off = (got - expected).abs().max().item<double>();
    EXPECT_LE(off, 1e-4 * expected.abs().max().item<double>());
  }
}

TEST(RecurrenceMachines, RefusesWhatItsMachinesCannotRead) {
  const Variant v = small_variant("1-3-1-0");
  const Recurrence recurrence(v);
  try {
    recurrence(moved(random_inputs(v, {.B = 1, .T = 4}, 12, at::kFloat), at::Device("meta")));
    FAIL() << "not refused";
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(
        std::string(error.what()).find("expected float32 or float64 on cpu, got Float on meta"),
        std::string::npos)
        << error.what();
  }
}

TEST(RecurrenceMachines, RefusesASecondDerivative) {
  for (const std::string code : {"1-1-1-0", "1-9-1-0", "fwp", "1-12-1-0", "1-ces-1-0"}) {
    SCOPED_TRACE(code);
    const Variant v = small_variant(code);
    RecurrenceInputs in = random_inputs(v, {.B = 1, .T = 4}, 11);
    in.e.requires_grad_();
    const at::Tensor loss = Recurrence(v)(in).y.square().sum();
    const at::Tensor first = torch::autograd::grad({loss}, {in.e}, {}, true, true)[0];
    try {
      torch::autograd::grad({first.square().sum()}, {in.e});
      FAIL() << "not refused";
    } catch (const std::exception& error) {
      EXPECT_NE(std::string(error.what()).find("expected first derivatives only"),
                std::string::npos)
          << error.what();
    }
  }
}

}  // namespace lcsm
