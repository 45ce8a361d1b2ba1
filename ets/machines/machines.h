// Computes filters by the machine that suits them.
#pragma once

#include <utility>

#include "ets/kernels/filter.h"
#include "ets/plan/plan.h"
#include "lcsm/cuda/driver/gpu_or_cpu.h"
#include "lcsm/layer/block.h"

namespace ets {

// The machine and the GPU for a filter; either alone converts to it.
struct On {
  On(FilterMachine by = FilterMachine::kFastest, lcsm::GpuOrCpu on = nullptr,
     bool state_too = false)
      : machine(by), gpu(std::move(on)), wants_state(state_too) {}
  On(lcsm::GpuOrCpu on) : On(FilterMachine::kFastest, std::move(on)) {}

  FilterMachine machine;
  lcsm::GpuOrCpu gpu;
  bool wants_state;  // asks for the state too, if the filter has one
};

struct FilterResult {
  at::Tensor y;            // [B, T, D]
  lcsm::BlockState state;  // after the last step; empty where there is none
};

// The machine that kFastest stands for, and why; any other machine stands for itself. Throws
// std::invalid_argument if it cannot compute the filter.
Choice chosen_machine(const On& on, const Filter& filter, const at::Tensor& x);

// x [B, T, D]; `padding` [B, T] of bool, or undefined: where it is true x counts as zero. The state
// belongs to filters of one direction that do not depend on the length:
//   "modes"   [B, D, M] real, [B, D, M, 2] complex; a state space has N instead of M, a shared
//             state has no D
//   "inputs"  [B, K - 1, D]: the last inputs, if the kernel has K steps
//   "sum"     only in a normalized filter: its own "modes" for an input of ones, with B = 1
// Throws std::invalid_argument for a state or a machine that does not fit.
FilterResult filtered(const On& on, const Filter& filter, const at::Tensor& x,
                      const at::Tensor& padding = {}, const lcsm::BlockState& state = {});
// True if the filter carries a state.
bool has_state(const Filter& filter);

using FilterObserver = lcsm::Observer<Filter, at::Tensor>;  // x, zero where there is padding

// The definition: a plain loop over time in tensor operations, under autograd. Every machine is
// checked against it.
FilterResult filtered_reference(const Filter& filter, const at::Tensor& x,
                                const lcsm::BlockState& state = {});

// Computes modes by their recurrence, in one direction or both. Neither accepts nor returns a
// state.
bool is_sum_of_modes(const Filter& filter);
FilterResult filtered_by_modes(const Filter& filter, const at::Tensor& x,
                               const lcsm::GpuOrCpu& gpu = nullptr);
// True if modes_continued can compute the filter.
bool modes_carry(const Filter& filter);
// Computes modes in one direction from a state, or from zeros if it is empty. Returns the state
// "modes" in float64.
FilterResult modes_continued(const Filter& filter, const at::Tensor& x,
                             const lcsm::BlockState& state, const lcsm::GpuOrCpu& gpu = nullptr);

// Computes modes that all channels share by one scan; carries their state.
FilterResult filtered_shared(const Filter& filter, const at::Tensor& x,
                             const lcsm::BlockState& state = {},
                             const lcsm::GpuOrCpu& gpu = nullptr);

// The kernel of K steps of modes, [G, D, K]: the response to an impulse.
at::Tensor taps_by_modes(const Filter& filter, std::int64_t K, const lcsm::GpuOrCpu& gpu = nullptr);

// The number of modes that outlast a truncated kernel: what remains of them at its end exceeds
// rounding.
std::int64_t lasting_modes(const Filter& filter, std::int64_t T);

// Convolves any filter that has a kernel per channel. Neither accepts nor returns a state.
FilterResult filtered_by_fft(const Filter& filter, const at::Tensor& x,
                             const lcsm::GpuOrCpu& gpu = nullptr);

// ----- The state that machines carry -----

// The state `name` as a tensor like `like`, from its real storage, [..., 2] if it is complex; zeros
// if the state has no such entry. Throws std::invalid_argument for another shape.
at::Tensor opened(const lcsm::BlockState& state, const std::string& name, const at::Tensor& like);

// The inverse: a tensor as real numbers.
at::Tensor stored(const at::Tensor& h);

}  // namespace ets
