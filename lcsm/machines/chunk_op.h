// The chunk machine: m_t = o_t (.) m_{t-1} + e_t (x) i_t, y_t = s_t^T m_t, where log o is the sum
// of a k part and a d part.
#pragma once

#include <optional>

#include "lcsm/tensors/operation.h"

namespace lcsm {

struct ChunkInputs {
  at::Tensor i;             // [B, T, D]
  at::Tensor e, s;          // [B, T, K]
  at::Tensor log_k, log_d;  // broadcast to [B, T, K] and [B, T, D]; <= 0; undefined = 0
  at::Tensor m;             // [B, K, D]; undefined = 0
};
// The operations that compute log_k and log_d, [B, T, K] and [B, T, D], if the inputs leave them
// undefined.
struct PendingDecays {
  std::optional<Pending> k, d;
};

// Which optional inputs an operation has besides i, e and s, in the order of ChunkInputs.
struct ChunkKind {
  bool decays_k = false, decays_d = false, continues = false;
};
ChunkInputs chunk_inputs(const Tensors& inputs, const ChunkKind& kind);

// y and the last m; float32 or float64, under autograd.
Tensors chunk_machine(const ChunkInputs& inputs, const PendingDecays& pending = {});

}  // namespace lcsm
