#include "lcsm/tensors/short_conv.h"

#include <ATen/Dispatch.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/zeros.h>

#include "lcsm/cpu/short_conv_cpu.h"
#include "lcsm/cuda/driver/gpu.h"
#include "lcsm/cuda/step/short_conv_calls.h"
#include "lcsm/tensors/operation.h"
#include "lcsm/tensors/rows.h"
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

// Rows of x may have gaps. Inputs as above, without rows before x.
struct ShortConvOnGpu : Operation {
  std::shared_ptr<Gpu> gpu;
  Activation f = Activation::kIdentity;

  ShortConvWork work_of(const Tensors& in) const {
    const Tensor& x = in[0];
    ShortConvWork work{f, x.scalar_type() == at::kBFloat16, static_cast<int>(in[1].size(0)),
                       x.size(0)};
    work.conv.steps = static_cast<int>(x.size(1));
    work.conv.row = row_of(x);
    work.conv.d = static_cast<int>(x.size(2));
    work.conv.x = numbers(x);
    work.conv.weight = data<float>(in[1]);
    if (in.size() > 2) work.conv.bias = data<float>(in[2]);
    return work;
  }

  Tensors forward(const Tensors& in) const override {
    const Tensor y = at::empty(in[0].sizes(), in[0].options());
    ShortConvWork work = work_of(in);
    work.conv.y = numbers(y);
    gpu->run(short_conv_source(work), "a short convolution", {short_conv_forward_call(work)});
    return {y};
  }

  Tensors backward(const Tensors& in, const Tensors&, const Tensors& d_out) const override {
    if (!d_out[0].defined()) return Tensors(in.size());
    const Tensor d_y = d_out[0].contiguous(), d_x = at::empty(d_y.sizes(), d_y.options());
    ShortConvWork work = work_of(in);
    work.conv.d_y = numbers(d_y);
    work.conv.d_x = numbers(d_x);
    const std::int64_t taps = work.taps;
    const Tensor sums =
        at::empty({short_conv_blocks(work), taps + 1, work.conv.d}, in[1].options());
    work.conv.partial = data<float>(sums);
    gpu->run(short_conv_source(work), "a short convolution", {short_conv_backward_call(work)});
    const Tensor sum = sums.sum(0);
    Tensors gradients = {d_x, sum.narrow(0, 0, taps)};
    if (in.size() > 2) gradients.push_back(sum[taps]);
    return gradients;
  }
};

Tensor on_cpu(const Tensor& x, const Tensor& weight, const Tensor& bias, const Tensor& before) {
  const at::ScalarType type = x.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
  const bool has_before = before.defined() && weight.size(1) > 1;
  Tensors inputs = {x.to(type).contiguous(), weight.to(type).t().contiguous()};
  if (bias.defined()) inputs.push_back(bias.to(type).contiguous());
  if (has_before) inputs.push_back(before.to(type).contiguous());
  return differentiable(c10::make_intrusive<ShortConvOperation>(bias.defined(), has_before),
                        inputs)[0];
}

bool has_kernel(const Tensor& x, const Tensor& weight) {
  return (x.scalar_type() == at::kFloat || x.scalar_type() == at::kBFloat16) && x.numel() > 0 &&
         weight.size(1) <= kConvTaps;
}

Tensor on_gpu(Activation f, const Tensor& x, const Tensor& weight, const Tensor& bias,
              const GpuOrCpu& gpu) {
  auto operation = c10::make_intrusive<ShortConvOnGpu>();
  operation->gpu = gpu;
  operation->f = f;
  Tensors inputs = {in_rows(x), weight.to(at::kFloat).t().contiguous()};
  if (bias.defined()) inputs.push_back(bias.to(at::kFloat).contiguous());
  return differentiable(std::move(operation), inputs)[0];
}

}  // namespace

Tensor short_conv(Activation f, const Tensor& x, const Tensor& weight, const Tensor& bias,
                  const Tensor& before, const GpuOrCpu& gpu) {
  if (!gpu && x.is_cpu()) return activated(f, on_cpu(x, weight, bias, before));
  if (!gpu || !has_kernel(x, weight)) return short_conv_reference(f, x, weight, bias, before);
  if (!before.defined()) return on_gpu(f, x, weight, bias, gpu);
  const std::int64_t earlier = weight.size(1) - 1;
  return on_gpu(f, with_before(x, earlier + 1, before.to(x.scalar_type())), weight, bias, gpu)
      .narrow(1, earlier, x.size(1));
}

Tensor short_conv_reference(Activation f, const Tensor& x, const Tensor& weight, const Tensor& bias,
                            const Tensor& before) {
  const std::int64_t T = x.size(1), taps = weight.size(1);
  const Tensor all = with_before(x, taps, before);
  Tensor y = bias;
  for (std::int64_t j = 0; j < taps; ++j) {
    const Tensor term = all.narrow(1, taps - 1 - j, T) * weight.select(1, j);
    y = y.defined() ? y + term : term;
  }
  return activated(f, y);
}

Tensor short_conv_state(const Tensor& x, std::int64_t taps, const Tensor& before) {
  return with_before(x, taps, before).narrow(1, x.size(1), taps - 1);
}

}  // namespace lcsm
