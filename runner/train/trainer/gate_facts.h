// How fast the layers of a trained model forget: facts about their gates on a batch.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "runner/models/skeletons/model.h"

namespace runner {

// Of one head of a layer's recurrence, or of one of its filters. NaN: there is no such number.
struct GateFacts {
  std::size_t layer = 0;
  std::size_t part = 0, parts = 1;  // of the layer: which head or filter, of how many
  bool is_filter = false;

  // Of lambda: |o_t| over examples, steps and cells, without padding; of a filter |q| of its modes.
  double mean = 0;
  std::array<double, 3> quantiles = {};  // kGateQuantiles
  double near_zero = 0, near_one = 0;    // shares below 0.01 and above 0.99

  // The least lambda that the learned weights allow, whatever the data: the mean over cells.
  double floor = 0;
  std::array<double, 3> norms = {};  // of the state at kStateTimes of T steps: means over examples
  // If asked, the sum of the state's absolute values after each step, a mean over examples: "total
  // state vol" of S4++'s figure 2.
  std::vector<double> volumes = {};
};

inline constexpr std::array kGateQuantiles = {0.05, 0.5, 0.95};
inline constexpr std::array kStateTimes = {0.25, 0.5, 1.0};

// Runs the model, which is on the CPU. Where a gate has more than four million values in a batch,
// evenly spaced steps are used. Empty: no layer has a recurrence or a filter.
std::vector<GateFacts> gate_facts(const Model& model, const Inputs& inputs, bool volumes = false);

}  // namespace runner
