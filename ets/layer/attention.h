// Attention of one head within chunks. Step i of a chunk gives step j, with b the bias of j - i,
// one of these weights:
//   softmax over j of f q_i k_j + b, without padded j unless all are padded
//   relu(s)^2, or (1 + erf((s - 0.707107) / (0.282095 sqrt(2)))) / 2, with s = q_i k_j / n + b;
//   zero at padded j; n is the number of the chunk's real steps, at least 1; causal: i + 1
// Causal: j <= i. Steps are counted within their chunk.
#pragma once

#include <functional>

#include "ets/families/attention.h"
#include "ets/layer/layer.h"

namespace ets {

struct Attention {
  std::string_view kind = "softmax";  // or "relu2", "laplace"
  std::string_view bias = "simple";   // or "rotary", "none"
  double factor = 1;                  // f
  bool causal = true;
  std::int64_t chunk = 0;  // the length of all but perhaps the last
  // Drops weights, which then exist for all pairs of a chunk; empty: drops none.
  std::function<at::Tensor(const at::Tensor&)> drop = {};
};

// The attention that the options describe, for T steps. Throws std::invalid_argument if the bias
// has fewer steps.
Attention attention_of(std::string_view block, const ChunkOptions& options,
                       const lcsm::Weights& weights, std::int64_t T);

// q, k [B, T, z], values [B, T, v], padding [B, T] or undefined.
at::Tensor attended(const Attention& form, const lcsm::Weights& weights, const at::Tensor& q,
                    const at::Tensor& k, const at::Tensor& values, const at::Tensor& padding,
                    const lcsm::On& on);

// Attention of each step of one sequence to all steps of another, by all pairs: q [B, T, z],
// k [B, S, z], values [B, S, v], padding [B, S] or undefined.
at::Tensor cross_attended(const Attention& form, const lcsm::Weights& weights, const at::Tensor& q,
                          const at::Tensor& k, const at::Tensor& values, const at::Tensor& padding);

}  // namespace ets
