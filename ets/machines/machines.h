// What computes a filter.
#pragma once

#include <map>
#include <string>

#include "ets/kernels/filter.h"

namespace ets {

// What is carried from step to step, by name; empty: the sequence starts here.
using State = std::map<std::string, at::Tensor>;

struct FilterResult {
  at::Tensor y;  // [B, T, D]
  State state;   // after the last step; empty where there is none
};

enum class Machine : std::uint8_t {
  kReference,  // the definition
  kCpu,        // sums of modes by recurrence, other kernels by fast Fourier transform
};

// x [B, T, D]; `padding` [B, T] of bool, or undefined: where it is true x counts as zero. The state
// belongs to filters of one direction that do not depend on the length:
//   "modes"   [B, D, M] real, [B, D, M, 2] complex; of a state space N instead of M, of a shared
//             state without D
//   "inputs"  [B, K - 1, D]: the last inputs, of a kernel of K steps
//   "sum"     of a normalized filter: its own "modes" for an input of ones, with B = 1
// Throws std::invalid_argument for a state that does not fit.
FilterResult filtered(Machine machine, const Filter& filter, const at::Tensor& x,
                      const at::Tensor& padding = {}, const State& state = {});

// The definition: a plain loop over time in tensor operations, under autograd. Every machine is
// checked against it.
FilterResult filtered_reference(const Filter& filter, const at::Tensor& x, const State& state = {});

// Modes by their recurrence, in one direction or both. It carries no state, and takes none.
bool is_sum_of_modes(const Filter& filter);
FilterResult filtered_by_modes(const Filter& filter, const at::Tensor& x);

// By convolution. It carries no state, and takes none.
FilterResult filtered_cpu(const Filter& filter, const at::Tensor& x);

}  // namespace ets
