// The layer around the recurrence: projections, activation, norm, output.
//
//   out = W_out LayerNorm(y),  y = recurrence(W_i x, a(e), a(s), gate)
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "lcsm/block/block.h"
#include "lcsm/layer/recurrence.h"
#include "lcsm/tensors/norm.h"

namespace lcsm {

// x W^T + b, with "NAME.weight" and, if it exists, "NAME.bias".
at::Tensor project(const Weights& weights, const std::string& name, const at::Tensor& x);

struct LayerResult {
  at::Tensor output;  // [B, T, D]
  State state;
};

class Layer {
 public:
  explicit Layer(const Variant& variant) : recurrence_(variant) {}

  // Weights are keyed by the names of tensors_of(variant); projections are [outputs, inputs].
  // "X.bias" beside "X.weight" adds a bias to a projection.
  //
  // x [B, T, D]. Running one step at a time, each with the state of the step before, equals running
  // the whole sequence.
  LayerResult operator()(const Weights& weights, const at::Tensor& x, const State& state = {},
                         const On& on = {}) const;

 private:
  Recurrence recurrence_;
};

// Draws a tensor of any model, [shape] float64, by its init formula. It depends only on the seed
// and the name, whatever else the model contains.
at::Tensor first_values(const Parameter& parameter, const Sizes& sizes, std::uint64_t seed);

// The activation a of e and s.
at::Tensor activated(int a, const at::Tensor& value);

// The values of the gate's and the scale's symbols: data [B, T, ...], otherwise the layer's own
// tensor or, if there is none, the fixed values. `symbols`: given_symbols of the variant.
std::map<Symbol, at::Tensor> gate_values(const Variant& variant, const std::vector<Symbol>& symbols,
                                         const Weights& weights, const at::Tensor& x,
                                         const GpuOrCpu& gpu = nullptr);

// Every tensor of the layer, drawn by `first_values`. Learned ones require gradients.
Weights initial_weights(const Variant& variant, std::uint64_t seed,
                        const at::TensorOptions& options);

// The projections that may have a bias: "input", "expand", "oscillation.p_k", ...
std::vector<std::string> projections_of(const Variant& variant);

// Throws std::invalid_argument if a weight is missing, unknown, or of another shape or dtype than
// x.
void check_weights(const Variant& variant, const Weights& weights, const at::Tensor& x);
// The part of this check that all layers share: each weight has a shape in `shapes`. `who` begins
// the message.
void check_shapes(const std::string& who,
                  const std::map<std::string, std::vector<std::int64_t>>& shapes,
                  const Weights& weights, at::ScalarType dtype);

}  // namespace lcsm
