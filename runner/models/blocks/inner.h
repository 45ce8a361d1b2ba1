// The recurrences of systems/inner. B, T, H heads, K keys, V values; D channels, N states, G
// groups; c is the option `scale`, 0 = 1 / sqrt(K).
//
//   linear-attention  S_t = S_(t-1) + k_t v_t^T, o_t = c q_t^T S_t, c = 1; q, k [B,T,H,K],
//                     v [B,T,H,V]; normalize: divided by c q_t^T (sum of k) + 1e-10
//   simple-gla        S_t = exp(g_t) S_(t-1) + k_t v_t^T; g [B,T,H]
//   gla               S_t = diag(exp(gk_t)) S_(t-1) + k_t v_t^T; gk [B,T,H,K]
//   retention         S_t = (1 - 2^(-5-h)) S_(t-1) + k_t v_t^T
//   rwkv6             S as gla with w_t for gk_t; o_t = c q_t^T (S_(t-1) + diag(u) k_t v_t^T);
//                     u [H,K]
//   delta-rule        S_t = (I - beta_t k_t k_t^T) S_(t-1) + beta_t k_t v_t^T; beta [B,T,H];
//                     FWP of LCSM: c = 1
//   two-keys          S_t = (I - k_t kbar_t^T) S_(t-1) + k_t v_t^T, c = 1 (M2); kbar [B,T,H,K]
//   hgrn-scan         h_t = exp(g_t) h_(t-1) + x_t; x, g [B,T,D]
//   selective-scan    dt = softplus(delta + delta_bias), or their sum; y = (C h + D u) silu(z),
//                     h_t = exp(dt A) h_(t-1) + dt B u; u, delta, z [B,T,D], A [D,N],
//                     B, C [B,T,N] or [B,T,G,N], D, delta_bias [D]; z, D and delta_bias may be
//                     missing
#pragma once

#include <map>
#include <string>

#include "lcsm/layer/block.h"
#include "lcsm/layer/recurrence.h"
#include "runner/systems/inner.h"

namespace runner {

// Inputs, keyed by their names in the row.
using InnerInputs = std::map<std::string, at::Tensor, std::less<>>;

// [B, T, H, V], or [B, T, D]. Throws std::invalid_argument for inputs of other shapes or dtypes.
at::Tensor inner_forward(const InnerRow& row, const lcsm::Options& options,
                         const InnerInputs& inputs, const lcsm::On& on = {});

struct SelectiveScan {
  at::Tensor u, step;  // [B, T, D]
  at::Tensor B, C;     // [B, T, G, N]: neighboring channels, D / G of them, share a group
  at::Tensor A;        // [D, N]
  at::Tensor state;    // [B, N, D]; undefined = 0
};

// C_t h_t, [B, T, D], and the last h.
lcsm::RecurrenceResult selective_scan(const SelectiveScan& scan, const lcsm::On& on);

}  // namespace runner
