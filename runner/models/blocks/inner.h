// The recurrences of systems/inner.
//
//   linear-attention  S_t = S_(t-1) + k_t v_t^T                       o_t = c q_t^T S_t
//   simple-gla        S_t = exp(g_t) S_(t-1) + k_t v_t^T              likewise
//   gla               S_t = diag(exp(gk_t)) S_(t-1) + k_t v_t^T       likewise
//   retention         S_t = (1 - 2^(-5-h)) S_(t-1) + k_t v_t^T        likewise
//   rwkv6             S as gla with w_t for gk_t                      o_t = c q_t^T (S_(t-1) +
//   diag(u) k_t v_t^T) delta-rule        S_t = (I - beta_t k_t k_t^T) S_(t-1) + beta_t k_t v_t^T
//   two-keys          S_t = (I - k_t kbar_t^T) S_(t-1) + k_t v_t^T
//   hgrn-scan         h_t = exp(g_t) h_(t-1) + x_t                    o_t = h_t
//   selective-scan    h_t = exp(dt_t A) h_(t-1) + dt_t B_t u_t        y_t = (C_t h_t + D u_t)
//   silu(z_t)
#pragma once

#include <map>
#include <string>

#include "ets/layer/layer.h"
#include "lcsm/layer/recurrence.h"
#include "runner/systems/inner.h"

namespace runner {

// By their names in the row.
using InnerInputs = std::map<std::string, at::Tensor, std::less<>>;

// [B, T, H, V], or [B, T, D]. Throws std::invalid_argument for inputs of other shapes or dtypes.
at::Tensor inner_forward(const InnerRow& row, const ets::Options& options,
                         const InnerInputs& inputs, ets::Machine machine = ets::Machine::kCpu);

struct SelectiveScan {
  at::Tensor u, step;  // [B, T, D]
  at::Tensor B, C;     // [B, T, G, N]: neighbouring channels, D / G of them, share a group
  at::Tensor A;        // [D, N]
  at::Tensor state;    // [B, N, D]; undefined = 0
};

// C_t h_t, [B, T, D], and the last h.
lcsm::RecurrenceResult selective_scan(const SelectiveScan& scan, ets::Machine machine);

}  // namespace runner
