// Code that nvcc compiles from ordinary functions, against the C library in float64.
#include <cmath>

#include "tests/ptx/tests/compiled.h"

namespace ptx {
namespace {

using Language = Compiled;

double expected(double x, int which) {
  switch (which) {
    case 0:
      return std::exp(x);
    case 1:
      return std::log(x);
    case 2:
      return std::tanh(x);
    case 3:
      return std::sin(x);
    case 4:
      return std::sqrt(x);
    case 5:
      return 1 / (1 + std::exp(-x));
    case 6:
      return std::log1p(x);
    case 7:
      return std::pow(x, static_cast<double>(1.7f));
    case 8:
      return std::erf(x);
    case 9:
      return std::cos(static_cast<double>(1e6f * static_cast<float>(x)));
    case 10:
      return 1 / std::sqrt(x);
    case 11:
      return std::fmod(x, static_cast<double>(0.3f));
    default:
      return x / 3;
  }
}

// CUDA's guide: these functions are accurate to a few units in the last place (1.2e-7).
TEST_F(Language, FunctionsOfTheLibrary) {
  LCSM_NEED_PTX("language");
  const Program program = load_program(compiled_file("language"), memory);
  std::vector<float> values(100);
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = 0.05f + 0.07f * static_cast<float>(k);
  const Array<float> x(memory, "x", values), y(memory, "y", 100);
  for (int which = 0; which < 13; ++which) {
    EXPECT_EQ(
        run(program, memory, {"functions", {2, 1, 1}, {64, 1, 1}, 0, {x, y, 100, which}}).text(),
        "");
    for (std::size_t k = 0; k < values.size(); ++k) {
      const double want = expected(static_cast<double>(values[k]), which),
                   got = static_cast<double>(y.get()[k]);
      EXPECT_NEAR(got, want, 1e-6 * std::fmax(std::fabs(want), 0.1))
          << which << " of " << values[k];
    }
  }
}

TEST_F(Language, FunctionsOfDoubles) {
  LCSM_NEED_PTX("language");
  const Program program = load_program(compiled_file("language"), memory);
  const std::vector<double> values = {0.1, 0.5, 1, 2, 3.7, 20};
  const Array<double> x(memory, "x", values), y(memory, "y", values.size());
  EXPECT_EQ(run(program, memory, {"functions64", {}, {6, 1, 1}, 0, {x, y}}).text(), "");
  for (std::size_t k = 0; k < values.size(); ++k) {
    const double want = std::exp(values[k]) + std::log(values[k]) / std::sqrt(values[k]);
    EXPECT_NEAR(y.get()[k], want, 1e-14 * std::fabs(want));
  }
}

struct Rule {
  float scale;
  int order[8];
};

TEST_F(Language, CallsLocalArraysAndStructs) {
  LCSM_NEED_PTX("language");
  const Program program = load_program(compiled_file("language"), memory);
  const Rule rule = {0.25f, {3, 1, 4, 0, 5, 2, 7, 6}};
  std::vector<float> values(64);
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = 0.01f * static_cast<float>(k);
  const Array<float> x(memory, "x", values), y(memory, "y", 64);
  EXPECT_EQ(run_in_orders(program, memory, {"ordinary", {}, {64, 1, 1}, 0, {x, y, rule}}, 2).text(),
            "");
  unsigned calls = 0;
  memory.read(program.array("calls"), &calls, sizeof calls);
  EXPECT_EQ(calls, 64u);
  for (int t = 0; t < 64; ++t) {
    int from = 0;
    while (rule.order[from] != t % 8) ++from;
    float z = values[static_cast<std::size_t>(t)] * static_cast<float>(from) * 0.25f;
    for (int k = 0; k < t % 3; ++k) z = std::fma(z, z, -0.7f);
    EXPECT_EQ(y.get()[static_cast<std::size_t>(t)], z + static_cast<float>(1 + t % 4));
  }
}

}  // namespace
}  // namespace ptx
