#include "runner/data/datasets/toys.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace runner {
namespace {

// (A + B T)' P + P (A + B T) + M
double lyapunov_error(const Matrix2& plant) {
  Matrix2 closed = plant;
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t j = 0; j < 2; ++j) closed[i][j] += kPlantInput[i] * kFeedback[j];
  double worst = 0;
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t j = 0; j < 2; ++j) {
      double sum = kDecrease[i][j];
      for (std::size_t k = 0; k < 2; ++k)
        sum += closed[k][i] * kLyapunov[k][j] + kLyapunov[i][k] * closed[k][j];
      worst = std::max(worst, std::abs(sum));
    }
  return worst;
}

double energy(const std::array<double, 2>& x) {
  return kLyapunov[0][0] * x[0] * x[0] + 2 * kLyapunov[0][1] * x[0] * x[1] +
         kLyapunov[1][1] * x[1] * x[1];
}

}  // namespace

TEST(Toys, ThePrintedPlantHasASignSlip) {
  EXPECT_EQ(lyapunov_error(kPlant), 0);
  EXPECT_GT(lyapunov_error({{{0, 1}, {2, -3}}}), 1);
}

TEST(Toys, EventsKeepThePlantStable) {
  const std::vector<PlantStep> steps = simulate_plant({1, -0.5});
  ASSERT_EQ(steps.size(), static_cast<std::size_t>(kPlantSteps));
  int events = 0;
  for (std::size_t i = 1; i < steps.size(); ++i) {
    // Between grid points an event may come late; a tenth of a second later all is well.
    EXPECT_LT(energy(steps[i].state), 1.05 * energy(steps[i - 1].state)) << i;
    if (i >= 10) {
      EXPECT_LT(energy(steps[i].state), energy(steps[i - 10].state)) << i;
    }
    events += steps[i].event;
    if (!steps[i].event) {
      EXPECT_EQ(steps[i].input, steps[i - 1].input) << i;
    }
  }
  EXPECT_LT(energy(steps.back().state), 1e-2 * energy(steps[0].state));
  EXPECT_GT(events, 10);
  EXPECT_LT(events, kPlantSteps / 4);
}

// Between events the input is constant, and the plant has an exact solution: the eigenvalues of A
// are 1 and 2.
TEST(Toys, ThePlantFollowsItsEquation) {
  const std::vector<PlantStep> steps = simulate_plant({0.7, 0.2});
  for (std::size_t i = 0; i + 1 < steps.size(); ++i) {
    const double u = steps[i].input, h = kPlantStep;
    const double p = steps[i].state[0] - u / 2, v = steps[i].state[1];  // rest at (u / 2, 0)
    const double a = 2 * p - v, b = v - p;                              // p = a e^t + b e^2t
    EXPECT_NEAR(steps[i + 1].state[0], u / 2 + a * std::exp(h) + b * std::exp(2 * h), 1e-8) << i;
    EXPECT_NEAR(steps[i + 1].state[1], a * std::exp(h) + 2 * b * std::exp(2 * h), 1e-8) << i;
  }
}

// Figure 1 of S4++: to the power of 6.
TEST(Toys, APerturbedPlantLeavesItsRest) {
  RandomStream random(1, Split::kTest, 0);
  const std::array<double, 2> start = {1, -0.5};
  const std::vector<PlantStep> stable = simulate_plant(start),
                               perturbed = simulate_perturbed_plant(start, random);
  double most = 0;
  for (std::size_t i = 0; i < stable.size(); ++i) {
    EXPECT_EQ(perturbed[i].event, stable[i].event) << i;
    most = std::max(most, std::abs(perturbed[i].input - stable[i].input));
  }
  EXPECT_LT(most, 0.2) << "the inputs differ little";
  EXPECT_GT(energy(perturbed.back().state), 1e10);
  EXPECT_LT(energy(stable.back().state), 1e-2);
}

TEST(Toys, TheSineMissesItsGridByLessThanAStep) {
  RandomStream random(1, Split::kTrain, 1);
  const NewExample grid = sine_example(random, true), shifted = sine_example(random, false);
  double most = 0;
  for (std::size_t i = 0; i < kSineSteps; ++i) {
    const float target = static_cast<float>(std::sin(5 * M_PI * static_cast<double>(i) / 100));
    EXPECT_NEAR(value_of(grid.sequences[0], Element::kReal, i), target, 1e-6) << i;
    EXPECT_NEAR(shifted.targets[i], target, 1e-6) << i;
    const double off = std::abs(value_of(shifted.sequences[0], Element::kReal, i) - target);
    EXPECT_LT(off, 5 * M_PI / 100) << "its slope times a step";
    most = std::max(most, off);
  }
  EXPECT_GT(most, 0.05);
}

TEST(Toys, TheHypotenuseIsTheSumOfTwoSquares) {
  RandomStream random(1, Split::kTrain, 0);
  for (int n = 0; n < 100; ++n) {
    const NewExample example = pythagorean_example(random);
    double sum = 0;
    for (std::uint64_t i = 0; i < kPythagoreanSteps; ++i) {
      const double value = value_of(example.sequences[0], Element::kReal, i);
      const bool side = i == kFirstSide || i == kSecondSide;
      EXPECT_TRUE(side ? value >= 1 && value < 2 : value == 0) << i;
      sum += value * value;
    }
    EXPECT_NEAR(example.targets.at(0), sum, 1e-5);  // float32
  }
}

}  // namespace runner
