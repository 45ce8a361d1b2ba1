// Unforeseen gates: 300 random formulas, each machine against the definition.
#include <ATen/TensorOperators.h>
#include <ATen/ops/isfinite.h>
#include <gtest/gtest.h>

#include <set>

#include "lcsm/code/plan.h"
#include "tests/lcsm/formula/random_formula.h"
#include "tests/lcsm/layer/layer_cases.h"
#include "tests/lcsm/layer/machine_cases.h"

namespace lcsm {
namespace {

const std::string& pick(const std::vector<std::string>& all, test::RandomFormula* random) {
  return all[random->below(all.size())];
}

// Angles over every axis, static and data; weights that are real or complex.
void turn(OscillationText* text, test::RandomFormula* random) {
  static const std::vector<std::string> angles = {
      "p_k + theta_k", "w_kd", "p_d2", "w_d + p", "p_k * w_d", "w_kd * p_d", "w_k", "slope_kd"};
  static const std::vector<std::string> scales = {"",
                                                  "",
                                                  "1 - q",
                                                  "sqrt(1 + o^2) * complex(p_d, w_k)",
                                                  "q * softplus(p_k)",
                                                  "abs(q - 1)",
                                                  "2 * (q - 1) / complex(-exp(w_kd), w_kd2)"};
  static const std::vector<std::string> reads = {
      "",         "", "complex(w_kd3, w_kd4)", "exp(w_d) * rotate(p_d3)", "rotate(w_kd * p_k)",
      "p_d * w_k"};
  text->o += " * rotate(" + pick(angles, random) + ")";
  text->scale = pick(scales, random);
  text->read = pick(reads, random);
}

// A gate within (-1, 1) of random parts; at times a rotation, weights or a running softmax.
OscillationText random_text(test::RandomFormula* random, int number) {
  const auto part = [&](int size) { return to_string(random->expr(size)); };
  const auto bounded = [&](const std::string& e) {
    switch (random->below(4)) {
      case 0:
        return "sigmoid(" + e + ")^(1/tau)";
      case 1:
        return "exp(-softplus(" + e + "))";
      case 2:
        return "tanh(" + e + ")";
      default:
        return "sigmoid(" + e + ")";
    }
  };
  OscillationText text{.name = "random" + std::to_string(number)};
  text.o = bounded(part(2 + static_cast<int>(random->below(12))));
  if (random->chance(0.3)) text.o += " * " + bounded(part(3));
  if (random->chance(0.15)) text.o += " * cumsoftmax(p_k2 + w_k)";
  if (random->chance(0.4)) {
    turn(&text, random);
    return text;
  }
  if (random->chance(0.1)) text.read = "p_d + w_k";
  if (random->chance(0.2))
    text.scale = "1 - o^2";
  else if (random->chance(0.2))
    text.scale = "softplus(" + part(3) + ")";
  return text;
}

bool finite(const std::map<std::string, at::Tensor>& all) {
  for (const auto& [name, tensor] : all)
    if (!at::isfinite(tensor).all().item<bool>() || tensor.abs().max().item<double>() > 1e6)
      return false;
  return true;
}

}  // namespace

// Undefined or huge ones (a division by what a random symbol makes 0) are drawn again. 1e-9: the
// parts of a formula, and so their rounding, can be a thousand times its value.
TEST(RandomGates, AgreeWithTheDefinition) {
  const Threads one(1);
  test::RandomFormula random(20);
  std::set<std::string> machines;
  int tried = 0, drawn = 0;
  while (tried < 300) {
    ASSERT_LT(++drawn, 3000);
    Catalogue catalogue;
    const OscillationText text = random_text(&random, drawn);
    try {
      catalogue.add(make_oscillation(text));
    } catch (const OscillationError&) {
      continue;
    }
    const std::string stages[] = {"1-%-1-0", "0-%-1-0", "1-%-0-0", "0-%-0-0"};
    std::string code = stages[random.below(4)];
    code.replace(code.find('%'), 1, text.name);
    Variant v;
    try {
      v = make_variant(parse_code(code + "@tau=4", catalogue), catalogue, {5, 3});
    } catch (const std::invalid_argument&) {
      continue;  // no tau in the gate, or e_k in it where e is static
    }
    const RecurrenceInputs in = random_inputs(
        v, {.B = 2, .T = random.chance(0.2) ? 65 : 9, .continues = random.chance(0.5)},
        static_cast<std::uint64_t>(drawn));
    const auto expected = everything(v, in, Backend::kReference);
    if (!finite(expected)) continue;
    SCOPED_TRACE(code + ": o = " + text.o + ", scale = " + text.scale + ", read = " + text.read +
                 " (" + short_summary(plan_of(v)) + ")");
    expect_near(everything(v, in, Backend::kCpu), expected, 1e-9, 1e-12);
    machines.insert(short_summary(plan_of(v)));
    ++tried;
  }
  EXPECT_GE(machines.size(), 9u);  // of every kind, not the same one 300 times
  EXPECT_TRUE(machines.contains("complex scan") && machines.contains("scan, weighted"));
}

}  // namespace lcsm
