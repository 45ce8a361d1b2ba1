// gMLP (Liu et al., "Pay Attention to MLPs", 2021):
//   (Z1, Z2) = gelu(X W_in),  Y = W_out (Z1 * (S norm(Z2) + b)),  S [T, T], norm: LayerNorm.
// Causal: S is lower triangular. spatial=toeplitz: S_tu = s_(t-u), computed by FFT. A sequence
// shorter than `length` uses the first T rows and columns; padding counts as zero in the product.
#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/fft_irfft.h>
#include <ATen/ops/fft_rfft.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/layer_norm.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/zeros.h>

#include "lcsm/layer/block.h"
#include "runner/models/blocks/attention.h"
#include "runner/systems/attention.h"
#include "runner/systems/token_mixers.h"

namespace runner {
namespace {

using at::Tensor;

// The distances' taps, t - u = 1 - T ... T - 1, as a matrix [T, T].
Tensor toeplitz(const Tensor& taps, std::int64_t T) {
  const Tensor t = at::arange(T, taps.options().dtype(at::kLong));
  const Tensor place = t.unsqueeze(1) - t + T - 1;
  return taps.index_select(0, place.flatten()).view({T, T});
}

// The Toeplitz product with z [B, T, h], computed on a circle of 2 T: negative distances are at its
// end.
Tensor toeplitz_product(const Tensor& taps, const Tensor& z) {
  const std::int64_t T = z.size(1);
  const Tensor circle =
      at::cat({taps.narrow(0, T - 1, T), at::zeros({1}, taps.options()), taps.narrow(0, 0, T - 1)});
  const Tensor product = at::fft_rfft(z, 2 * T, 1) * at::fft_rfft(circle).unsqueeze(-1);
  return at::fft_irfft(product, 2 * T, 1).narrow(1, 0, T);
}

Tensor mixed(const Gmlp& g, const Tensor& weight, const Tensor& z, lcsm::Backend backend) {
  const std::int64_t T = z.size(1);
  const bool bidirectional = g.bidirectional;
  if (g.spatial == "full") {
    const Tensor matrix = weight.narrow(0, 0, T).narrow(1, 0, T);
    return at::matmul(bidirectional ? matrix : matrix.tril(), z);
  }
  const Tensor taps = bidirectional
                          ? weight.narrow(0, g.length - T, 2 * T - 1)
                          : at::cat({at::zeros({T - 1}, weight.options()), weight.narrow(0, 0, T)});
  if (backend == lcsm::Backend::kReference) return at::matmul(toeplitz(taps, T), z);
  return toeplitz_product(taps, z);
}

}  // namespace

lcsm::BlockResult Gmlp::forward(const lcsm::Weights& weights, const at::Tensor& x,
                                const lcsm::BlockContext& context) const {
  const std::int64_t T = x.size(1);
  check_length(kName, length, T);
  const std::vector<Tensor> z = at::gelu(lcsm::project(weights, "input", x)).chunk(2, -1);
  const Tensor normed = at::layer_norm(z[1], {z[1].size(2)}, weights.at("norm.weight"),
                                       weights.at("norm.bias"), lcsm::kNormEpsilon);
  const Tensor gate = mixed(*this, weights.at("spatial.weight"),
                            without_padding(normed, context.padding), context.backend) +
                      weights.at("spatial.bias").narrow(0, 0, T).unsqueeze(-1);
  return {lcsm::project(weights, "output", z[0] * gate), {}};
}

}  // namespace runner
