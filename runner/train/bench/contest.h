// Compares several implementations of a computation with the first one, then times them in turns.
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <string>
#include <vector>

#include "lcsm/measure/timing.h"
#include "runner/train/device/device.h"

namespace runner {

struct Contestant {
  std::string name;  // "ours", or a baseline's
  lcsm::Seconds forward, both;
  std::int64_t peak = 0;  // bytes beyond the inputs, forward + backward; 0 on a GPU, not counted
  double difference = 0;  // relative difference from ours of the tensor that differs most
  std::string refusal;    // why it did not run, without times
  lcsm::Seconds forward_cold = {}, both_cold = {};  // on a GPU, with nothing in its caches
};

struct Entrant {
  std::string name;
  std::function<at::Tensor()> run;
  std::string refusal = {};  // why it cannot run; "" if it can
};

// The tensors that get a gradient, and the output's gradient.
struct ContestInputs {
  std::vector<std::string> names;
  std::vector<at::Tensor> leaves;
  at::Tensor d_y;
};

// Returns one gradient per leaf.
std::vector<at::Tensor> gradients_of(const ContestInputs& inputs, const at::Tensor& y);

struct ContestRules {
  std::string where;       // "bench eos: 1-9-1-0 at 2,3,5,4 in Float"
  double tolerance;        // the largest difference that rounding can cause, relative to the norm
  std::string definition;  // "'lcsm-train apply' computes the definition"
  double budget = 0;       // seconds; at least three rounds
};

// |theirs - ours| / |ours|; throws std::runtime_error, naming tensor and contestant, if that
// exceeds the tolerance or a number is not finite.
double checked_difference(const ContestRules& rules, const std::string& tensor,
                          const std::string& contestant, const at::Tensor& ours,
                          const at::Tensor& theirs);

// Ours first. Throws std::runtime_error if another one's output or gradient differs from ours. On a
// GPU each runs as a graph.
std::vector<Contestant> contest(const std::vector<Entrant>& entrants, const ContestInputs& inputs,
                                const ContestRules& rules, const ComputeDevice& device);

}  // namespace runner
