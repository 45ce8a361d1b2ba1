// The layer of a family: its filter, and the operations around it.
#pragma once

#include <functional>

#include "ets/families/family.h"
#include "ets/kernels/kernels.h"
#include "ets/machines/machines.h"

namespace ets {

// Inputs of a layer besides its weights and its input.
struct Context {
  at::Tensor padding = {};  // [B, T] of bool: true where there is padding; undefined: none
  State state = {};         // after the step before; empty: the sequence starts
  Machine machine = Machine::kFastest;
  // [B, T, D]: what the output is added to, where a gate of the layer weighs it; undefined: x
  at::Tensor residual = {};
  // Dropout at the places inside the layer that its authors name; empty: none.
  std::function<at::Tensor(const at::Tensor& x)> drop = {};
  lcsm::GpuOrCpu gpu = {};

  On on() const { return {machine, gpu}; }
};

struct LayerResult {
  at::Tensor output;  // [B, T, D]
  State state;        // after the last step; empty where there is none
};

// x [B, T, D]. Running one step at a time, each with the state of the step before, equals running
// the whole sequence. A fast machine gives a state where it got one, and where it has one at hand
// (s5).
LayerResult layer_forward(const Variant& variant, const Weights& weights, const at::Tensor& x,
                          const Context& context = {});

// The kernel of T steps, [G, D, T]. Throws std::invalid_argument for a family without one.
at::Tensor layer_kernel(const Variant& variant, const Weights& weights, std::int64_t T,
                        const On& on = {});

// Float64, [shape]; depends only on the seed and the name.
at::Tensor first_values(const Parameter& parameter, std::uint64_t seed);

// Every tensor of the layer, learned ones all.
Weights initial_weights(const Variant& variant, std::uint64_t seed,
                        const at::TensorOptions& options);

// Throws std::invalid_argument if a weight is missing, unknown, of another shape or dtype.
// `kernel_only`: weights around the filter are not expected.
void check_weights(const Variant& variant, const Weights& weights, at::ScalarType dtype,
                   bool kernel_only = false);

}  // namespace ets
