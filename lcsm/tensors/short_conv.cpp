#include "lcsm/tensors/short_conv.h"

#include <ATen/Dispatch.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/zeros.h>

#include "lcsm/cpu/short_conv_cpu.h"
#include "lcsm/tensors/operation.h"
#include "lcsm/tensors/shares.h"

namespace lcsm {
namespace {

using at::Tensor;

Tensor with_before(const Tensor& x, std::int64_t taps, const Tensor& before) {
  return at::cat(
      {before.defined() ? before : at::zeros({x.size(0), taps - 1, x.size(2)}, x.options()), x}, 1);
}

// Inputs x, the weights tap by tap [taps, D], then the bias and the rows before x, if there are
// any.
struct ShortConvOperation : Operation {
  ShortConvOperation(bool has_bias_, bool has_before_)
      : has_bias(has_bias_), has_before(has_before_) {}

  Tensors forward(const Tensors& in) const override {
    const Tensor y = at::empty_like(in[0]);
    over_batch(in, 2, [&]<class T>(ShortConv<T> conv, std::int64_t b) {
      conv.y = data<T>(y, b);
      short_conv_kernels<T>().forward(conv);
    });
    return {y};
  }

  Tensors backward(const Tensors& in, const Tensors&, const Tensors& d_out) const override {
    const std::int64_t B = in[0].size(0), taps = in[1].size(0), D = in[1].size(1);
    const Tensor d_y = d_out[0].contiguous(), d_x = at::empty_like(in[0]);
    // One gradient per sequence.
    const Tensor d_weight = at::empty({B, taps, D}, d_x.options()),
                 d_bias = at::empty({B, D}, d_x.options()),
                 d_before = has_before ? at::empty_like(in.back()) : Tensor();
    over_batch(in, 6, [&]<class T>(ShortConv<T> conv, std::int64_t b) {
      conv.d_y = data<T>(d_y, b);
      conv.d_x = data<T>(d_x, b);
      conv.d_before = data<T>(d_before, b);
      conv.d_weight = data<T>(d_weight, b);
      conv.d_bias = data<T>(d_bias, b);
      short_conv_kernels<T>().backward(conv);
    });
    Tensors gradients = {d_x, d_weight.sum(0)};
    if (has_bias) gradients.push_back(d_bias.sum(0));
    if (has_before) gradients.push_back(d_before);
    return gradients;
  }

  template <class Work>
  void over_batch(const Tensors& in, double flops_per_tap, const Work& work) const {
    const Tensor& x = in[0];
    const std::int64_t taps = in[1].size(0);
    const double flops = flops_per_tap * static_cast<double>(taps * x.numel());
    AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "short_conv", [&] {
      each_sequence(x.size(0), flops, [&](std::int64_t b, const Share&) {
        ShortConv<scalar_t> conv{.steps = x.size(1), .d = x.size(2), .taps = taps};
        conv.x = data<scalar_t>(x, b);
        conv.weight = data<scalar_t>(in[1]);
        if (has_bias) conv.bias = data<scalar_t>(in[2]);
        if (has_before) conv.before = data<scalar_t>(in.back(), b);
        work(conv, b);
      });
    });
  }

  const bool has_bias, has_before;
};

}  // namespace

Tensor short_conv(const Tensor& x, const Tensor& weight, const Tensor& bias, const Tensor& before) {
  if (!x.is_cpu() || (x.scalar_type() != at::kFloat && x.scalar_type() != at::kDouble))
    return short_conv_reference(x, weight, bias, before);
  const bool has_before = before.defined() && weight.size(1) > 1;
  Tensors inputs = {x.contiguous(), weight.t().contiguous()};
  if (bias.defined()) inputs.push_back(bias.contiguous());
  if (has_before) inputs.push_back(before.contiguous());
  return differentiable(c10::make_intrusive<ShortConvOperation>(bias.defined(), has_before),
                        inputs)[0];
}

Tensor short_conv_reference(const Tensor& x, const Tensor& weight, const Tensor& bias,
                            const Tensor& before) {
  const std::int64_t T = x.size(1), taps = weight.size(1);
  const Tensor all = with_before(x, taps, before);
  Tensor y = bias;
  for (std::int64_t j = 0; j < taps; ++j) {
    const Tensor term = all.narrow(1, taps - 1 - j, T) * weight.select(1, j);
    y = y.defined() ? y + term : term;
  }
  return y;
}

Tensor short_conv_state(const Tensor& x, std::int64_t taps, const Tensor& before) {
  return with_before(x, taps, before).narrow(1, x.size(1), taps - 1);
}

}  // namespace lcsm
