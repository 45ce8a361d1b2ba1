#include "ets/layer/layer.h"

#include <ATen/TensorOperators.h>

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

namespace ets {
namespace {

using at::Tensor;

// The equations of a family that is one filter.
struct Equations {
  const lcsm::BlockRow* family;
  Filter (*filter)(const lcsm::Weights&, const lcsm::Options&, std::int64_t T);
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

const Equations& equations_of(const lcsm::Block& v) {
  for (const Equations& row : equations())
    if (row.family == v.row) return row;
  throw std::invalid_argument(std::string(v.row->name) +
                              ": expected a family with one filter: it has several, and no kernel");
}

Filter filter_of(const lcsm::Block& v, const lcsm::Weights& weights, std::int64_t T, bool dense) {
  Filter filter = dense && v.row == &kS4 ? s4_state_space(weights, v.options)
                                         : equations_of(v).filter(weights, v.options, T);
  filter.backward_lag = static_cast<std::int64_t>(v.row->backward_lag);
  return filter;
}

// The filter, with what stands before and after it.
lcsm::BlockResult filter_forward(const lcsm::Block& v, const lcsm::Weights& weights,
                                 const Tensor& given, const FilterContext& context) {
  const Tensor& padding = context.padding;
  const lcsm::BlockState& state = context.state;
  const FilterMachine machine = context.machine;
  Tensor x = given;
  lcsm::BlockState of_filter = state, carried;
  if (has_replay(v)) {
    if (!state.empty() && !state.contains("replay"))
      throw std::invalid_argument(std::string(v.row->name) +
                                  ": expected a state with 'replay', the last inputs of its gate");
    Replayed gated = replayed(
        v, weights, padding.defined() ? x.masked_fill(padding.unsqueeze(-1), 0) : x, state);
    x = gated.x;
    carried = std::move(gated.state);
    of_filter.erase("replay");
  }
  // A state belongs to the recurrence, so a layer with a state runs as a recurrence.
  const bool dense = machine == FilterMachine::kReference || !state.empty();
  FilterResult run =
      filtered(state.empty() || !of_filter.empty() ? machine : FilterMachine::kReference,
               filter_of(v, weights, x.size(1), dense), x, padding, of_filter);
  if (!run.state.empty()) run.state.merge(carried);
  lcsm::refuse_unknown_state(state, run.state);
  const auto skip = weights.find("skip");
  const Tensor y = skip == weights.end() ? run.y : run.y + skip->second * x;
  return {output_of(v, weights, y, context), std::move(run.state)};
}

using Forward = lcsm::BlockResult (*)(const lcsm::Block&, const lcsm::Weights&, const Tensor&,
                                      const FilterContext&);

// The forward pass of a layer that is more than one filter with a shortcut.
struct Composed {
  const lcsm::BlockRow* family;
  Forward forward;
};

Forward forward_of(const lcsm::Block& v) {
  static const std::array rows = {
      Composed{&kH3, h3_forward},         Composed{&kTnn, tnn_forward},
      Composed{&kEtsmlp, etsmlp_forward}, Composed{&kMegaFeed, mega_feed_forward},
      Composed{&kMega, mega_forward},     Composed{&kS4pp, s4pp_forward}};
  for (const Composed& row : rows)
    if (row.family == v.row) return row.forward;
  return filter_forward;
}

}  // namespace

lcsm::BlockResult layer_forward(const lcsm::Block& v, const lcsm::Weights& given,
                                const Tensor& given_x, const lcsm::BlockContext& given_context,
                                FilterMachine machine) {
  FilterContext context{given_context, machine};
  if (context.backend == lcsm::Backend::kReference) context.machine = FilterMachine::kReference;
  if (machine == FilterMachine::kReference) context.backend = lcsm::Backend::kReference;
  const at::ScalarType dtype = given_x.scalar_type();
  const at::ScalarType wide = dtype == at::kDouble ? at::kDouble : at::kFloat;
  const Tensor x = given_x.to(wide);
  lcsm::Weights weights;
  for (const auto& [name, tensor] : given) weights[name] = tensor.to(wide);
  lcsm::BlockResult result = forward_of(v)(v, weights, x, context);
  result.output = result.output.to(dtype);
  return result;
}

Tensor layer_kernel(const lcsm::Block& v, const lcsm::Weights& weights, std::int64_t T,
                    FilterMachine machine) {
  const bool dense = machine == FilterMachine::kReference;
  const Filter filter = filter_of(v, weights, T, dense);
  return dense ? taps_of(filter, T) : fast_taps_of(filter, T);
}

}  // namespace ets
