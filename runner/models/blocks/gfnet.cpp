// GFNet (Rao et al., "Global Filter Networks", 2021) over time instead of an image:
//   Y = irfft(K * rfft(X)),  K complex, one number for each frequency and channel:
// a convolution on a circle of `length` positions, zeros after the sequence. Only the following
// feed-forward has projections, as in the paper.
#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/bmm.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/fft_irfft.h>
#include <ATen/ops/fft_rfft.h>
#include <ATen/ops/view_as_complex.h>

#include "lcsm/layer/block.h"
#include "runner/models/blocks/attention.h"
#include "runner/systems/attention.h"
#include "runner/systems/token_mixers.h"

namespace runner {

using at::Tensor;

lcsm::BlockResult Gfnet::forward(const lcsm::Weights& weights, const at::Tensor& given,
                                 const lcsm::BlockContext& context) const {
  const std::int64_t T = given.size(1), d = given.size(2);
  check_length(kName, length, T);
  const Tensor x = without_padding(given, context.padding);
  const Tensor filter = at::view_as_complex(weights.at("filter").contiguous());
  if (context.backend != lcsm::Backend::kReference) {
    // MKL transforms at least one sequence.
    const Tensor some = x.size(0) > 0 ? x : at::constant_pad_nd(x, {0, 0, 0, 0, 0, 1});
    const Tensor y = at::fft_irfft(at::fft_rfft(some, length, 1) * filter, length, 1);
    return {y.narrow(0, 0, x.size(0)).narrow(1, 0, T), {}};
  }
  const Tensor taps = at::fft_irfft(filter, length, 0);  // [length, d]
  const Tensor t = at::arange(T, x.options().dtype(at::kLong));
  const Tensor steps = (t.unsqueeze(1) - t).remainder(length);
  const Tensor matrix = taps.index_select(0, steps.flatten()).view({T, T, d});
  return {at::bmm(matrix.permute({2, 0, 1}), x.permute({2, 1, 0})).permute({2, 1, 0}), {}};
}

}  // namespace runner
