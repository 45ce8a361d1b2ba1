#include "runner/models/attention.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/cos.h>
#include <ATen/ops/neg.h>
#include <ATen/ops/outer.h>
#include <ATen/ops/pow.h>
#include <ATen/ops/scaled_dot_product_attention.h>
#include <ATen/ops/sin.h>

namespace runner {
namespace {

using at::Tensor;

constexpr double kRopeBase = 10000;

// x [B, H, T, w]; angles in float64: at t = 10^5 a float32 has lost two digits of its fraction.
Tensor rotated(const Tensor& x) {
  const std::int64_t T = x.size(2), half = x.size(3) / 2;
  const at::TensorOptions wide = x.options().dtype(at::kDouble);
  const Tensor rate = at::pow(kRopeBase, at::arange(half, wide) / -static_cast<double>(half));
  const Tensor angle = at::outer(at::arange(T, wide), rate);
  const Tensor cos = at::cos(angle).to(x.scalar_type()), sin = at::sin(angle).to(x.scalar_type());
  const Tensor a = x.narrow(3, 0, half), b = x.narrow(3, half, half);
  return at::cat({a * cos - b * sin, a * sin + b * cos}, 3);
}

Tensor attention(const lcsm::Weights& weights, const Tensor& x, std::int64_t heads, bool rope,
                 bool causal, const std::optional<Tensor>& seen) {
  const std::int64_t B = x.size(0), T = x.size(1), d = x.size(2);
  const std::vector<Tensor> qkv = lcsm::project(weights, "qkv", x)
                                      .view({B, T, 3, heads, d / heads})
                                      .permute({2, 0, 3, 1, 4})
                                      .unbind(0);  // each [B, H, T, w]
  const Tensor q = rope ? rotated(qkv[0]) : qkv[0], k = rope ? rotated(qkv[1]) : qkv[1];
  const Tensor y = at::scaled_dot_product_attention(q, k, qkv[2], seen, 0.0, causal);
  return lcsm::project(weights, "output", y.transpose(1, 2).reshape({B, T, d}));
}

}  // namespace

Tensor causal_attention(const lcsm::Weights& weights, const Tensor& x, std::int64_t heads,
                        bool rope) {
  return attention(weights, x, heads, rope, true, std::nullopt);
}

Tensor two_sided_attention(const lcsm::Weights& weights, const Tensor& x, std::int64_t heads,
                           bool rope, const Tensor& padding) {
  std::optional<Tensor> seen;
  if (padding.defined()) seen = padding.logical_not().unsqueeze(1).unsqueeze(1);  // [B, 1, 1, T]
  return attention(weights, x, heads, rope, false, seen);
}

}  // namespace runner
