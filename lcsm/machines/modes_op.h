// The time-invariant machine: a sum of modes, in one direction or both.
//
//   u_t = q u_{t-1} + x_t,  y_t[d] = Re sum_n c[n,d] u_t[n,d]
//
// Memory grows with T D: the gradient recomputes u from its stored values, one every few dozen
// steps.
#pragma once

#include <vector>

#include "lcsm/cuda/driver/gpu_or_cpu.h"
#include "lcsm/tensors/operation.h"

namespace lcsm {

struct Direction {
  at::Tensor q = {}, c = {};  // [N, D], float64 or complex128
  at::Tensor u = {};          // before the first step, [B, N, D], of the type of q; undefined = 0
  bool back = false;          // from the last step to the first
  bool late = false;          // y_t = Re sum c u_{t-1}, without x_t
};

// Describes a direction among an operation's inputs: q, c and, if it continues, u.
struct DirectionKind {
  bool continues, back, late;
};
// Directions follow x.
std::vector<Direction> directions_of(const Tensors& inputs,
                                     const std::vector<DirectionKind>& kinds);

// y [B, T, D], of the type of x, then the last u of each direction, in float64 or complex128, so
// that phases stay exact over a long sequence. x is float32 or float64, on a GPU float32 or
// bfloat16. Under autograd.
Tensors modes_machine(const at::Tensor& x, const std::vector<Direction>& directions,
                      const GpuOrCpu& gpu = nullptr);

}  // namespace lcsm
