// The delta machine: m_t = a_t (I - u_t v_t^T) m_{t-1} + u_t i_t^T, y_t = s_t^T m_t.
#pragma once

#include "lcsm/tensors/operation.h"

namespace lcsm {

struct DeltaInputs {
  at::Tensor i;        // [B, T, D]
  at::Tensor u, v, s;  // [B, T, K]
  at::Tensor m;        // [B, K, D]; undefined = 0
  at::Tensor log_a;    // [B, T], <= 0; undefined = 0
};

// y and the last m; float32 or float64, under autograd.
Tensors delta_machine(const DeltaInputs& inputs);

}  // namespace lcsm
