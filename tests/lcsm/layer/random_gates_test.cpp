// Unforeseen gates: 300 random formulas, each machine against the definition.
#include <ATen/TensorOperators.h>
#include <ATen/ops/isfinite.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "lcsm/code/plan.h"
#include "lcsm/cuda/cuda_machine.h"
#include "lcsm/cuda/driver/nvrtc.h"
#include "tests/lcsm/formula/random_formula.h"
#include "tests/lcsm/layer/fake_tensors.h"
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

// A gate, its code and inputs on which it is defined, with what the definition computes from them.
struct RandomCase {
  std::string name;
  Variant variant;
  RecurrenceInputs inputs;
  std::map<std::string, at::Tensor> expected;
};

// Undefined or huge cases (a division by a random symbol that makes 0) are drawn again.
class RandomCases {
 public:
  RandomCase next() {
    while (true) {
      Catalogue catalogue;
      const OscillationText text = random_text(&random_, ++drawn_);
      try {
        catalogue.add(make_oscillation(text));
      } catch (const OscillationError&) {
        continue;
      }
      const std::string stages[] = {"1-%-1-0", "0-%-1-0", "1-%-0-0", "0-%-0-0"};
      std::string code = stages[random_.below(4)];
      code.replace(code.find('%'), 1, text.name);
      RandomCase made;
      try {
        made.variant = make_variant(parse_code(code + "@tau=4", catalogue), catalogue, {5, 3});
      } catch (const std::invalid_argument&) {
        continue;  // no tau in the gate, or e_k in it where e is static
      }
      made.inputs = random_inputs(
          made.variant,
          {.B = 2, .T = random_.chance(0.2) ? 65 : 9, .continues = random_.chance(0.5)},
          static_cast<std::uint64_t>(drawn_));
      made.expected = everything(made.variant, made.inputs, Backend::kReference);
      if (!finite(made.expected)) continue;
      made.name = code + ": o = " + text.o + ", scale = " + text.scale + ", read = " + text.read +
                  " (" + short_summary(plan_of(made.variant)) + ")";
      return made;
    }
  }
  int drawn() const { return drawn_; }

 private:
  test::RandomFormula random_{20};
  int drawn_ = 0;
};

}  // namespace

// 1e-9: the parts of a formula, and so their rounding, can be a thousand times its value.
TEST(RandomGates, AgreeWithTheDefinition) {
  const Threads one(1);
  RandomCases cases;
  std::set<std::string> machines;
  for (int tried = 0; tried < 300; ++tried) {
    const RandomCase made = cases.next();
    SCOPED_TRACE(made.name);
    expect_near(everything(made.variant, made.inputs, Backend::kMachine), made.expected, 1e-9,
                1e-12);
    machines.insert(short_summary(plan_of(made.variant)));
  }
  EXPECT_LT(cases.drawn(), 3000);
  EXPECT_GE(machines.size(), 9u);  // of every kind
  EXPECT_TRUE(machines.contains("complex scan") && machines.contains("scan, weighted"));
}

// Behind a fake driver. A formula that amplifies float32 rounding does so on the CPU, too. LibTorch
// computes formulas before the loop, as in the definition: its sigmoid has the gradient (1 - o) o,
// which is rounding error for o near 1. LCSM_FUZZ=1 tests more gates; each has its own kernels,
// which are compiled first.
TEST(RandomGates, AgreeWithTheDefinitionOnAGpu) {
  if (!nvrtc_missing().empty()) GTEST_SKIP() << nvrtc_missing();
  const Threads one(1);
  test::FakeGpu fake;
  const test::FakeTensors tensors(&fake);
  RandomCases cases;
  std::set<std::string> machines;
  for (int tried = 0; tried < (std::getenv("LCSM_FUZZ") ? 100 : 12);) {
    const RandomCase made = cases.next();
    SCOPED_TRACE(made.name);
    const RecurrenceInputs narrow = moved(made.inputs, at::kFloat);
    const auto exact = everything(made.variant, moved(narrow, at::kDouble), Backend::kReference),
               by_cpu = everything(made.variant, narrow, Backend::kMachine),
               by_tensors = everything(made.variant, narrow, Backend::kReference);
    if (!finite(by_cpu)) continue;
    try {
      machines.insert(to_string(cuda_machine_of(made.variant, plan_of(made.variant))));
    } catch (const std::invalid_argument&) {
      continue;  // more leaves than a kernel takes
    }
    const auto got = everything(made.variant, narrow, fake.gpu());
    for (const auto& [name, tensor] : exact) {
      const auto off = [&](const at::Tensor& by) {
        return (by.to(at::kDouble) - tensor).abs().max().item<double>();
      };
      EXPECT_LE(off(got.at(name)),
                1e-5 * tensor.abs().max().item<double>() +
                    10 * std::max(off(by_cpu.at(name)), off(by_tensors.at(name))) + 1e-12)
          << name;
    }
    ++tried;
  }
  EXPECT_GE(machines.size(), 3u);
  EXPECT_EQ(fake.findings(), "");
}

}  // namespace lcsm
