// The forward pass of a family that is one filter, with the operations before and after it.
#pragma once

#include <ATen/TensorOperators.h>
#include <ATen/ops/silu.h>

#include <stdexcept>

#include "ets/families/ema.h"
#include "ets/families/s5.h"
#include "ets/layer/layer.h"
#include "ets/layer/output.h"
#include "ets/layer/replay.h"

namespace ets {

// `dense`: for S4, the definition.
template <class Family>
Filter filter_of(const Family& family, const lcsm::Weights& weights, std::int64_t T, bool dense,
                 const lcsm::GpuOrCpu& gpu) {
  Filter filter;
  if constexpr (requires { family.state_space(weights); })
    filter = dense ? family.state_space(weights) : family.filter(weights, T, gpu);
  else
    filter = family.filter(weights, T, gpu);
  filter.backward_lag = Family::kBackwardLag;
  return filter;
}

// The operations after the filter and its shortcut.
template <class Family>
at::Tensor around(const Family& family, const lcsm::Weights& weights, const at::Tensor& y,
                  const FilterContext& context) {
  if constexpr (std::is_same_v<Family, Ema>) return at::silu(y);
  if constexpr (requires { family.output; })
    return output_of(family.output.text(), std::is_same_v<Family, S5>, weights, y, context);
  return y;
}

template <class Family>
lcsm::BlockResult filter_forward(const Family& family, const lcsm::Weights& weights,
                                 const at::Tensor& given, const FilterContext& context) {
  const lcsm::BlockState& state = context.state;
  const at::Tensor& padding = context.padding;
  at::Tensor x = given;
  lcsm::BlockState of_filter = state, carried;
  if (family.replays()) {
    if (!state.empty() && !state.contains("replay"))
      throw std::invalid_argument(std::string(Family::kName) +
                                  ": expected a state with 'replay', the last inputs of its gate");
    Replayed gated = replayed(
        family, weights, padding.defined() ? x.masked_fill(padding.unsqueeze(-1), 0) : x, state);
    x = gated.x;
    carried = std::move(gated.state);
    of_filter.erase("replay");
  }
  // A state belongs to the recurrence, so a layer with a state runs as a recurrence.
  const bool continues =
      !state.empty() ||
      (context.wants_state && has_state(filter_of(family, weights, x.size(1), true, context.gpu)));
  const bool dense = context.machine == FilterMachine::kReference || continues;
  const bool fits = state.empty() || !of_filter.empty();
  FilterResult run =
      filtered({fits ? context.machine : FilterMachine::kReference, context.gpu, continues},
               filter_of(family, weights, x.size(1), dense, context.gpu), x, padding, of_filter);
  if (!run.state.empty()) run.state.merge(carried);
  lcsm::refuse_unknown_state(state, run.state);
  const auto skip = weights.find("skip");
  const at::Tensor y = skip == weights.end() ? run.y : run.y + skip->second * x;
  return {around(family, weights, y, context), std::move(run.state)};
}

}  // namespace ets
