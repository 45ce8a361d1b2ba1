// One code at one shape: random inputs; every contestant is checked against ours, then timed.
#pragma once

#include <ATen/core/Tensor.h>

#include <optional>
#include <string>
#include <vector>

#include "lcsm/layer/recurrence.h"
#include "lcsm/measure/timing.h"
#include "runner/train/device/device.h"

namespace runner {

struct BenchShape {
  std::int64_t B = 1, T = 1;
  lcsm::Sizes sizes = {};
};

// ----- Inputs -----

struct BenchCase {
  lcsm::RecurrenceInputs inputs;
  at::Tensor d_y;  // [B, T, D]
  // The tensors that get a gradient: data and what is learned.
  std::vector<std::string> names;
  std::vector<at::Tensor> leaves;

  std::int64_t bytes() const;  // of the op's inputs and its output
};

// Normal data, learned symbols at their initial values, and keys that keep the memory bounded.
BenchCase make_case(const lcsm::Variant& variant, const BenchShape& shape, at::ScalarType dtype,
                    const ComputeDevice& device = {});

// Returns one gradient per leaf.
std::vector<at::Tensor> gradients_of(const BenchCase& inputs, const at::Tensor& y);

// ----- Contestants -----

struct Contestant {
  std::string name;  // "ours", or a baseline's
  lcsm::Seconds forward, both;
  std::int64_t peak = 0;  // bytes beyond the inputs, forward + backward; 0 on a GPU, not counted
  double difference = 0;  // relative, from ours, of the tensor that differs most
  std::string refusal;    // why it did not run; then it has no times
  lcsm::Seconds forward_cold = {}, both_cold = {};  // on a GPU, with nothing in its caches
};

struct BenchResult {
  std::string code;
  BenchShape shape;
  std::int64_t bytes = 0;                // of the op's inputs and its output
  std::vector<Contestant> contestants;   // ours first
  std::optional<double> gate_functions;  // seconds, see function_seconds
};

// Throws std::runtime_error if a baseline's output or gradient differs from ours. Contestants take
// turns until `budget` seconds are used, for at least three rounds; on a GPU each runs as a graph.
BenchResult bench_case(const std::string& code, const lcsm::Variant& variant,
                       const BenchShape& shape, at::ScalarType dtype, double budget,
                       const ComputeDevice& device = {});

// |theirs - ours| / |ours|; throws std::runtime_error, naming code, shape, tensor and contestant,
// if that is more than rounding can cause or a number is not finite.
double checked_difference(const BenchResult& of, at::ScalarType dtype, const std::string& tensor,
                          const std::string& contestant, const at::Tensor& ours,
                          const at::Tensor& theirs);

// The largest difference that rounding can cause, relative to a tensor's norm.
double tolerance_of(at::ScalarType dtype);

// The time of the exponentials, logarithms etc. in a scan's gate alone, forward, in seconds;
// nullopt if the gate has none in its loop. The minimum of the repeats that fit into `budget`
// seconds.
std::optional<double> function_seconds(const lcsm::Variant& variant, const BenchShape& shape,
                                       at::ScalarType dtype, double budget);

}  // namespace runner
