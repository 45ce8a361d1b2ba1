#include "ets/machines/fft_conv.h"

#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/cumsum.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <functional>

#include "ets/cpu/fft_conv_cpu.h"
#include "ets/kernels/vandermonde.h"
#include "ets/machines/fft_conv_cuda.h"
#include "ets/machines/machines.h"
#include "lcsm/layer/recurrence.h"
#include "lcsm/tensors/operation.h"

namespace ets {
namespace {

using at::Tensor;
using lcsm::Tensors;

class FftConvolution : public lcsm::Operation {
 public:
  explicit FftConvolution(std::int64_t lag) : lag_(lag) {}

  Tensors forward(const Tensors& in) const override {
    const Tensor y = at::empty_like(in[0]);
    AT_DISPATCH_FLOATING_TYPES(y.scalar_type(), "fft_convolution", [&] {
      const FftPlan<scalar_t> plan(in[0].size(1));
      FftConv<scalar_t> conv = conv_of(plan, in);
      conv.y = y.mutable_data_ptr<scalar_t>();
      each_share<scalar_t>(conv, y.size(0),
                           [&](std::int64_t channel, std::int64_t first, std::int64_t last,
                               std::int64_t, FftSpace<scalar_t>* space) {
                             fft_conv_kernels<scalar_t>().forward(conv, channel, first, last,
                                                                  space);
                           });
    });
    return {y};
  }

  Tensors backward(const Tensors& in, const Tensors&, const Tensors& d_out) const override {
    if (!d_out[0].defined()) return Tensors(in.size());
    const Tensor d_y = d_out[0].contiguous(), d_x = at::empty_like(in[0]);
    Tensor d_taps;
    AT_DISPATCH_FLOATING_TYPES(d_y.scalar_type(), "fft_convolution_backward", [&] {
      const FftPlan<scalar_t> plan(in[0].size(1));
      FftConv<scalar_t> all = conv_of(plan, in);
      all.d_y = d_y.const_data_ptr<scalar_t>();
      all.d_x = d_x.mutable_data_ptr<scalar_t>();
      std::vector<std::int64_t> shape = in[1].sizes().vec();
      shape.insert(shape.begin(), shares_of(all, d_y.size(0)));
      d_taps = at::zeros(shape, in[1].options());
      scalar_t* const taps = d_taps.mutable_data_ptr<scalar_t>();
      each_share<scalar_t>(all, d_y.size(0),
                           [&](std::int64_t channel, std::int64_t first, std::int64_t last,
                               std::int64_t share, FftSpace<scalar_t>* space) {
                             FftConv<scalar_t> conv = all;
                             conv.d_kernel = taps + share * in[1].numel();
                             fft_conv_kernels<scalar_t>().backward(conv, channel, first, last,
                                                                   space);
                           });
    });
    return {d_x, d_taps.size(0) == 1 ? d_taps.squeeze(0) : d_taps.sum(0)};
  }

 private:
  template <class T>
  FftConv<T> conv_of(const FftPlan<T>& plan, const Tensors& in) const {
    FftConv<T> conv;
    conv.plan = &plan;
    conv.length = in[0].size(1);
    conv.D = in[0].size(2);
    conv.K = in[1].size(2);
    conv.directions = in[1].size(0);
    conv.lag = lag_;
    conv.group = fft_group<T>(plan.n, conv.D, at::get_num_threads());
    conv.kernel = in[1].const_data_ptr<T>();
    conv.x = in[0].const_data_ptr<T>();
    return conv;
  }

  // The number of parts of the batch: several if there are fewer groups of channels than threads.
  template <class T>
  static std::int64_t shares_of(const FftConv<T>& conv, std::int64_t B) {
    const std::int64_t wanted = (at::get_num_threads() + groups_of(conv) - 1) / groups_of(conv);
    return std::clamp<std::int64_t>(B, 1, wanted);
  }
  template <class T>
  static std::int64_t groups_of(const FftConv<T>& conv) {
    return (conv.D + conv.group - 1) / conv.group;
  }

  template <class T>
  static void each_share(
      const FftConv<T>& conv, std::int64_t B,
      const std::function<void(std::int64_t channel, std::int64_t first, std::int64_t last,
                               std::int64_t share, FftSpace<T>* space)>& work) {
    const std::int64_t S = shares_of(conv, B);
    at::parallel_for(0, S * groups_of(conv), 1, [&](std::int64_t begin, std::int64_t end) {
      FftSpace<T> space;
      for (std::int64_t n = begin; n < end; ++n)
        work(n / S * conv.group, B * (n % S) / S, B * (n % S + 1) / S, n % S, &space);
    });
  }

  const std::int64_t lag_;
};

}  // namespace

Tensor fft_convolution(const Tensor& x, const Tensor& taps, std::int64_t backward_lag,
                       const lcsm::GpuOrCpu& gpu) {
  if (gpu) return fft_convolution_cuda(gpu, x, taps, backward_lag);
  const at::ScalarType wide = lcsm::state_dtype(x.scalar_type());
  return lcsm::differentiable(c10::make_intrusive<FftConvolution>(backward_lag),
                              {x.to(wide).contiguous(), taps.to(wide).contiguous()})[0]
      .to(x.scalar_type());
}

FilterResult filtered_by_fft(const Filter& filter, const Tensor& x, const lcsm::GpuOrCpu& gpu) {
  const std::int64_t T = x.size(1);
  std::int64_t K = filter.truncation > 0 ? std::min(filter.truncation, T) : T;
  if (const Taps* taps = std::get_if<Taps>(&filter.kernel)) K = std::min(K, taps->values.size(-1));
  // Both give the same kernel; the recurrence is faster, but cannot compute growing modes.
  const Tensor taps =
      is_sum_of_modes(filter) ? taps_by_modes(filter, K, gpu) : fast_taps_of(filter, K, gpu);
  Tensor y = fft_convolution(x, taps, filter.backward_lag, gpu);
  if (filter.normalized)
    y = y / at::cumsum(at::constant_pad_nd(taps, {0, T - K}).select(0, 0), -1).t();
  return {y, {}};
}

}  // namespace ets
