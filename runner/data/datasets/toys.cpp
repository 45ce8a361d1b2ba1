#include "runner/data/datasets/toys.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace runner {
namespace {

using Vector2 = std::array<double, 2>;

// 0 <= x < 1.
double uniform53(RandomStream& random) {
  return static_cast<double>(random.next64() >> 11) * 0x1p-53;
}

Vector2 times(const Matrix2& a, const Vector2& x) {
  return {a[0][0] * x[0] + a[0][1] * x[1], a[1][0] * x[0] + a[1][1] * x[1]};
}

double dot(const Vector2& a, const Vector2& b) { return a[0] * b[0] + a[1] * b[1]; }

// One Runge-Kutta step with a constant input; the error per step is below 1e-10 here.
Vector2 after_step(const Vector2& x, double u) {
  const auto slope = [u](const Vector2& at) {
    const Vector2 free = times(kPlant, at);
    return Vector2{free[0] + kPlantInput[0] * u, free[1] + kPlantInput[1] * u};
  };
  const auto plus = [&x](const Vector2& k, double by) {
    return Vector2{x[0] + by * k[0], x[1] + by * k[1]};
  };
  const Vector2 a = slope(x), b = slope(plus(a, kPlantStep / 2));
  const Vector2 c = slope(plus(b, kPlantStep / 2)), d = slope(plus(c, kPlantStep));
  Vector2 sum;
  for (std::size_t i = 0; i < 2; ++i) sum[i] = (a[i] + 2 * b[i] + 2 * c[i] + d[i]) / 6;
  return plus(sum, kPlantStep);
}

// True if the error of the held state lets the Lyapunov function decrease too slowly.
bool is_event(const Vector2& x, const Vector2& held) {
  const Vector2 error = {held[0] - x[0], held[1] - x[1]};
  const double pull = dot(x, times(kLyapunov, kPlantInput)) * dot(kFeedback, error);
  return kEventShare * dot(x, times(kDecrease, x)) - 2 * pull <= 0;
}

Vector2 first_state(RandomStream& random) {
  const double angle = 2 * std::numbers::pi * uniform53(random), radius = 0.5 + uniform53(random);
  return {radius * std::cos(angle), radius * std::sin(angle)};
}

NewExample example_of(const std::vector<PlantStep>& steps) {
  NewExample example;
  for (const PlantStep& step : steps) {
    append(&example.sequences[0], static_cast<float>(step.input));
    append(&example.sequences[0], step.event ? 1.0f : 0.0f);
    for (const double state : step.state) example.targets.push_back(static_cast<float>(state));
  }
  return example;
}

}  // namespace

NewExample sine_example(RandomStream& random, bool on_grid) {
  NewExample example;
  for (int i = 0; i < kSineSteps; ++i) {
    const double shift = on_grid ? 0 : 2 * uniform53(random) - 1;
    const auto value = [](double at) {
      return static_cast<float>(std::sin(5 * std::numbers::pi * at / kSineSteps));
    };
    append(&example.sequences[0], value(i + shift));
    example.targets.push_back(value(i));
  }
  return example;
}

std::vector<PlantStep> simulate_plant(Vector2 start) {
  std::vector<PlantStep> steps;
  Vector2 x = start, held = start;
  for (int i = 0; i < kPlantSteps; ++i) {
    const bool event = i == 0 || is_event(x, held);
    if (event) held = x;
    steps.push_back({dot(kFeedback, held), event, x});
    x = after_step(x, steps.back().input);
  }
  return steps;
}

NewExample plant_example(RandomStream& random) {
  return example_of(simulate_plant(first_state(random)));
}

std::vector<PlantStep> simulate_perturbed_plant(Vector2 start, RandomStream& random) {
  const std::vector<PlantStep> fed_back = simulate_plant(start);
  std::vector<PlantStep> steps = fed_back;
  Vector2 x = start;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (i > 0) steps[i].input = steps[i - 1].input;
    if (steps[i].event) {
      const double shift = 2 * uniform53(random) - 1;
      const std::size_t beside =
          shift < 0 ? std::max<std::size_t>(i, 1) - 1 : std::min(i + 1, steps.size() - 1);
      const Vector2 &here = fed_back[i].state, &there = fed_back[beside].state;
      Vector2 sample;
      for (std::size_t n = 0; n < 2; ++n)
        sample[n] = here[n] + std::abs(shift) * (there[n] - here[n]);
      steps[i].input = dot(kFeedback, sample);
    }
    steps[i].state = x;
    x = after_step(x, steps[i].input);
  }
  return steps;
}

NewExample perturbed_plant_example(RandomStream& random) {
  const Vector2 start = first_state(random);
  return example_of(simulate_perturbed_plant(start, random));
}

NewExample pythagorean_example(RandomStream& random) {
  std::vector<float> steps(kPythagoreanSteps);
  float target = 0;
  for (const int at : {kFirstSide, kSecondSide}) {
    const auto side = static_cast<float>(1 + uniform53(random));
    steps[static_cast<std::size_t>(at)] = side;
    target += side * side;
  }
  NewExample example;
  for (const float step : steps) append(&example.sequences[0], step);
  example.targets = {target};
  return example;
}

}  // namespace runner
