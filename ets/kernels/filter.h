// A linear filter of a sequence, which a family computes from its tensors:
//   y_t = sum over j >= 0 of k_j x_{t-j}                          the first direction
//       + sum over j >= 0 of k'_j x_{t+j+lag}                     the second, where there is one
// G directions, D channels, M modes. Sums over modes, kernels and states are real.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <variant>

namespace ets {

// k_t = sum over m of Re(weight_m exp((t - origin_m) (log_decay_m + i angle_m))).
struct Modes {
  at::Tensor log_decay;    // [G, D, M], or what broadcasts to it: logarithm of |decay|
  at::Tensor angle;        // likewise; undefined = 0
  at::Tensor weight;       // [G, D, M], its real part
  at::Tensor weight_imag;  // undefined = 0
  at::Tensor origin;       // [D, M] or broadcast: undefined = 0. Only growing modes need it
};

// The kernel itself, [G, D, length]; zero after that.
struct Taps {
  at::Tensor values;
};

// h_t = a h_{t-1} + b x_t, y_t = Re(c h_t), complex: a [D, N, N], b [D, N], c [G, D, N].
struct StateSpace {
  at::Tensor a, b, c;
};

// Modes that all inputs and outputs share:
// h_t[m] = exp(log_decay + i angle) h_{t-1}[m] + sum over d of expand[m,d] x_t[d],
// y_t[d] = Re(sum over m of shrink[d,m] h_t[m]). Complex expand [M, D], shrink [G, D, M].
struct SharedModes {
  at::Tensor log_decay, angle;  // [M]
  at::Tensor expand, shrink;
};

struct Filter {
  std::variant<Modes, Taps, StateSpace, SharedModes> kernel;
  std::int64_t backward_lag = 0;
  std::int64_t truncation = 0;  // the kernel is zero from there on; 0: never
  bool normalized = false;      // y_t is divided by the sum of k_0 .. k_t
  bool of_length = false;       // depends on the sequence's length, so it carries no state
};

// The kernel of T steps, [G, D, T]; SharedModes have none.
at::Tensor taps_of(const Filter& filter, std::int64_t T);

// A complex tensor from [..., 2].
at::Tensor complex_of(const at::Tensor& parts);

}  // namespace ets
