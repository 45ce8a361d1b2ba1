#include "ets/machines/machines.h"

#include <ATen/TensorOperators.h>

#include <stdexcept>

namespace ets {

FilterResult filtered(Machine machine, const Filter& filter, const at::Tensor& x,
                      const at::Tensor& padding, const State& state) {
  const at::Tensor seen = padding.defined() ? x.masked_fill(padding.unsqueeze(-1), 0) : x;
  // One step after another: nothing to convolve.
  if (machine == Machine::kReference || !state.empty())
    return filtered_reference(filter, seen, state);
  return is_sum_of_modes(filter) ? filtered_by_modes(filter, seen) : filtered_cpu(filter, seen);
}

}  // namespace ets
