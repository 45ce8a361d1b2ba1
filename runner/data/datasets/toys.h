// The toys of S4++: small real-valued sequences. Our choices where the paper gives none:
//   nss          t from 0 to 0.99 in steps of 0.01, shifts uniform within one step
//   etc          x(0) has a length of 0.5 to 1.5 and any direction; events are looked for
//                on the grid
//   etc-perturbed  shifts as in nss; states between steps are interpolated
//   pythagorean  zeros elsewhere, positions counted from 0; the test set is ours
#pragma once

#include <array>
#include <vector>

#include "runner/base/random/random.h"
#include "runner/data/datasets/data_file_writer.h"

namespace runner {

// ----- nss: a sine seen at times that miss their grid -----
inline constexpr int kSineSteps = 100;
NewExample sine_example(RandomStream& random, bool on_grid);

// ----- etc: a plant whose input is held until an event -----
using Matrix2 = std::array<std::array<double, 2>, 2>;
inline constexpr Matrix2 kPlant = {
    {{0, 1}, {-2, 3}}};  // A; printed with the signs of -2, 3 swapped: so equation (8) is exact
inline constexpr std::array<double, 2> kPlantInput = {0, 1};        // B
inline constexpr std::array<double, 2> kFeedback = {1, -4};         // T
inline constexpr Matrix2 kLyapunov = {{{1, 0.25}, {0.25, 1}}};      // P
inline constexpr Matrix2 kDecrease = {{{0.5, 0.25}, {0.25, 1.5}}};  // M
inline constexpr double kEventShare = 0.5;                          // kappa
inline constexpr double kPlantStep = 0.01;
inline constexpr int kPlantSteps = 1000;

struct PlantStep {
  double input = 0;  // held since the last event
  bool event = false;
  std::array<double, 2> state{};
};
std::vector<PlantStep> simulate_plant(std::array<double, 2> start);
NewExample plant_example(RandomStream& random);
// Applies the inputs of simulate_plant without feedback, each sampled less than a step beside its
// event: the state grows like e^2t (figure 1 of S4++).
std::vector<PlantStep> simulate_perturbed_plant(std::array<double, 2> start, RandomStream& random);
NewExample perturbed_plant_example(RandomStream& random);

// ----- pythagorean: two numbers far apart, the sum of their squares between them -----
inline constexpr int kPythagoreanSteps = 100, kFirstSide = 12, kSecondSide = 94;
NewExample pythagorean_example(RandomStream& random);

}  // namespace runner
