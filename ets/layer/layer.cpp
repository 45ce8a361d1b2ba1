#include "ets/layer/layer.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "ets/families/replay.h"
#include "ets/kernels/vandermonde.h"
#include "ets/layer/etsmlp.h"
#include "ets/layer/h3.h"
#include "ets/layer/mega.h"
#include "ets/layer/mega_feed.h"
#include "ets/layer/output.h"
#include "ets/layer/replay.h"
#include "ets/layer/s4pp.h"
#include "ets/layer/tnn.h"
#include "ets/machines/state.h"
#include "lcsm/base/nearest.h"

namespace ets {
namespace {

using at::Tensor;

// The equations of a family that is one filter.
struct Equations {
  const FamilyRow* family;
  Filter (*filter)(const Weights&, const Options&, std::int64_t T, const lcsm::GpuOrCpu&);
};

const std::array<Equations, 7>& equations() {
  static const std::array<Equations, 7> rows = {{{&kCes, ces_filter},
                                                 {&kEma, ema_filter},
                                                 {&kS4d, s4d_filter},
                                                 {&kS4, s4_filter},
                                                 {&kDss, dss_filter},
                                                 {&kS5, s5_filter},
                                                 {&kTnn, tnn_filter}}};
  return rows;
}

const Equations& equations_of(const Variant& v) {
  for (const Equations& row : equations())
    if (row.family == v.family) return row;
  throw std::invalid_argument(std::string(v.family->name) +
                              ": expected a family with one filter: it has several, and no kernel");
}

Filter filter_of(const Variant& v, const Weights& weights, std::int64_t T, bool dense,
                 const lcsm::GpuOrCpu& gpu) {
  Filter filter = dense && v.family == &kS4 ? s4_state_space(weights, v.options)
                                            : equations_of(v).filter(weights, v.options, T, gpu);
  filter.backward_lag = static_cast<std::int64_t>(v.family->backward_lag);
  return filter;
}

// The filter, with what stands before and after it.
LayerResult filter_forward(const Variant& v, const Weights& weights, const Tensor& given,
                           const Context& context) {
  const Tensor& padding = context.padding;
  const State& state = context.state;
  const Machine machine = context.machine;
  Tensor x = given;
  State of_filter = state, carried;
  if (has_replay(v)) {
    if (!state.empty() && !state.contains("replay"))
      throw std::invalid_argument(std::string(v.family->name) +
                                  ": expected a state with 'replay', the last inputs of its gate");
    Replayed gated = replayed(
        v, weights, padding.defined() ? x.masked_fill(padding.unsqueeze(-1), 0) : x, state);
    x = gated.x;
    carried = std::move(gated.state);
    of_filter.erase("replay");
  }
  // A state belongs to the recurrence, so a layer with a state runs as a recurrence.
  const bool dense = machine == Machine::kReference || !state.empty();
  const bool fits = state.empty() || !of_filter.empty();
  FilterResult run =
      filtered({fits ? machine : Machine::kReference, context.gpu},
               filter_of(v, weights, x.size(1), dense, context.gpu), x, padding, of_filter);
  if (!run.state.empty()) run.state.merge(carried);
  refuse_unknown_state(state, run.state);
  const auto skip = weights.find("skip");
  const Tensor y = skip == weights.end() ? run.y : run.y + skip->second * x;
  return {output_of(v, weights, y, context), std::move(run.state)};
}

using Forward = LayerResult (*)(const Variant&, const Weights&, const Tensor&, const Context&);

// The forward pass of a layer that is more than one filter with a shortcut.
struct Composed {
  const FamilyRow* family;
  Forward forward;
};

Forward forward_of(const Variant& v) {
  static const std::array rows = {
      Composed{&kH3, h3_forward},         Composed{&kTnn, tnn_forward},
      Composed{&kEtsmlp, etsmlp_forward}, Composed{&kMegaFeed, mega_feed_forward},
      Composed{&kMega, mega_forward},     Composed{&kS4pp, s4pp_forward}};
  for (const Composed& row : rows)
    if (row.family == v.family) return row.forward;
  return filter_forward;
}

[[noreturn]] void refuse(const Variant& v, const std::string& name, const std::string& what) {
  throw std::invalid_argument(std::string(v.family->name) + ": weight '" + name + "': " + what);
}

}  // namespace

LayerResult layer_forward(const Variant& v, const Weights& given, const Tensor& given_x,
                          const Context& context) {
  const at::ScalarType dtype = given_x.scalar_type();
  const at::ScalarType wide = dtype == at::kDouble ? at::kDouble : at::kFloat;
  const Tensor x = given_x.to(wide);
  Weights weights;
  for (const auto& [name, tensor] : given) weights[name] = tensor.to(wide);
  LayerResult result = forward_of(v)(v, weights, x, context);
  result.output = result.output.to(dtype);
  return result;
}

Tensor layer_kernel(const Variant& v, const Weights& weights, std::int64_t T, const On& on) {
  const bool dense = on.machine == Machine::kReference;
  const Filter filter = filter_of(v, weights, T, dense, on.gpu);
  return dense ? taps_of(filter, T) : fast_taps_of(filter, T, on.gpu);
}

Tensor first_values(const Parameter& parameter, std::uint64_t seed) {
  const std::vector<double> values = parameter.first(seed);
  const Tensor tensor = at::empty(parameter.shape, at::kDouble);
  std::copy(values.begin(), values.end(), tensor.mutable_data_ptr<double>());
  return tensor;
}

Weights initial_weights(const Variant& v, std::uint64_t seed, const at::TensorOptions& options) {
  Weights weights;
  for (const Parameter& tensor : tensors_of(v))
    weights[tensor.name] = first_values(tensor, seed).to(options).requires_grad_();
  return weights;
}

void check_weights(const Variant& v, const Weights& weights, at::ScalarType dtype,
                   bool kernel_only) {
  std::map<std::string, std::vector<std::int64_t>> shapes;
  std::vector<std::string> known;
  for (const Parameter& tensor : tensors_of(v)) {
    shapes[tensor.name] = tensor.shape;
    known.push_back(tensor.name);
    if (!weights.contains(tensor.name) && (tensor.of_kernel || !kernel_only))
      refuse(v, tensor.name, "expected it, got none");
  }
  for (const auto& [name, tensor] : weights) {
    const auto shape = shapes.find(name);
    if (shape == shapes.end())
      refuse(v, name, "this layer has no weight of that name" + lcsm::did_you_mean(name, known));
    if (tensor.sizes() != at::IntArrayRef(shape->second))
      refuse(v, name,
             "expected shape " + c10::str(at::IntArrayRef(shape->second)) + ", got " +
                 c10::str(tensor.sizes()));
    if (tensor.scalar_type() != dtype)
      refuse(v, name,
             std::string("expected the input's dtype ") + at::toString(dtype) + ", got " +
                 at::toString(tensor.scalar_type()));
  }
}

}  // namespace ets
