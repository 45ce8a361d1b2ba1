// How fast the layers of a trained model forget: facts about their gates on a batch.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "runner/models/skeletons/model.h"

namespace runner {

// Facts about one head of a layer's recurrence, or about one filter. NaN: not defined.
struct GateFacts {
  std::size_t layer = 0;
  std::size_t part = 0, parts = 1;  // the head's or filter's index in the layer, and their number
  bool is_filter = false;

  // Statistics of lambda: |o_t| over examples, steps and cells, without padding; for a filter, |q|
  // of its modes.
  double mean = 0;
  std::array<double, 3> quantiles = {};  // kGateQuantiles
  double near_zero = 0, near_one = 0;    // shares below 0.01 and above 0.99

  // The least lambda that the learned weights allow for any data, averaged over cells.
  double floor = 0;
  std::array<double, 3> norms = {};  // of the state at kStateTimes of T, mean over examples
  // If requested, the sum of the state's absolute values after each step, averaged over examples:
  // "total state vol" in S4++'s figure 2.
  std::vector<double> volumes = {};
};

inline constexpr std::array kGateQuantiles = {0.05, 0.5, 0.95};
inline constexpr std::array kStateTimes = {0.25, 0.5, 1.0};

// Runs the model, which must be on the CPU. A gate with more than four million values in a batch is
// sampled at evenly spaced steps. Empty if no layer has a recurrence or a filter.
std::vector<GateFacts> gate_facts(const Model& model, const Inputs& inputs, bool volumes = false);

}  // namespace runner
