#include "lcsm/machines/wkv.h"

#include <ATen/Dispatch.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/log.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros_like.h>

#include <limits>

#include "lcsm/cpu/wkv_cpu.h"
#include "lcsm/machines/wkv_cuda.h"
#include "lcsm/tensors/operation.h"
#include "lcsm/tensors/shares.h"

namespace lcsm {
namespace {

using at::Tensor;

constexpr double kWkvFlopsPerEntry = 80;  // two exponentials, a logarithm, divisions

template <class T>
Wkv<T> sequence(const Tensors& in, std::int64_t b) {
  Wkv<T> wkv{.steps = in[0].size(1), .d = in[0].size(2)};
  wkv.k = data<T>(in[0], b);
  wkv.v = data<T>(in[1], b);
  wkv.w = data<T>(in[2]);
  wkv.u = data<T>(in[3]);
  if (in.size() > 4) {
    wkv.first_mean = data<T>(in[4], b);
    wkv.first_sum = data<T>(in[5], b);
  }
  return wkv;
}

void over_sequences(const Tensor& k, const std::function<void(std::int64_t)>& work) {
  each_sequence(k.size(0), kWkvFlopsPerEntry * static_cast<double>(k.numel()),
                [&](std::int64_t b, const Share&) { work(b); });
}

// Inputs k, v, w, u and, if it continues, mean and log_sum; results y, and mean and log_sum after
// the last step; kept for backward: mean and log_sum at every step.
struct WkvOperation : Operation {
  WkvOperation() { results = 3; }

  Tensors forward(const Tensors& in) const override {
    const Tensor &k = in[0], y = at::empty_like(k), mean = at::empty_like(k),
                 sum = at::empty_like(k);
    AT_DISPATCH_FLOATING_TYPES(k.scalar_type(), "wkv", [&] {
      over_sequences(k, [&](std::int64_t b) {
        Wkv<scalar_t> wkv = sequence<scalar_t>(in, b);
        wkv.y = data<scalar_t>(y, b);
        wkv.mean = data<scalar_t>(mean, b);
        wkv.sum = data<scalar_t>(sum, b);
        wkv_kernels<scalar_t>().forward(wkv);
      });
    });
    const std::int64_t last = k.size(1) - 1;
    return {y, mean.select(1, last).clone(), sum.select(1, last).clone(), mean, sum};
  }

  Tensors backward(const Tensors& in, const Tensors& out, const Tensors& d_out) const override {
    const Tensor& k = in[0];
    const auto given = [&](std::size_t n) {
      return d_out[n].defined() ? d_out[n].contiguous() : at::zeros_like(out[n]);
    };
    const Tensor d_y = given(0), d_mean = given(1), d_sum = given(2);
    const Tensor d_k = at::empty_like(k), d_v = at::empty_like(k);
    // One gradient per sequence.
    const Tensor d_w = at::empty_like(d_mean), d_u = at::empty_like(d_mean),
                 d_first_mean = at::empty_like(d_mean), d_first_sum = at::empty_like(d_mean);
    AT_DISPATCH_FLOATING_TYPES(k.scalar_type(), "wkv_backward", [&] {
      over_sequences(k, [&](std::int64_t b) {
        Wkv<scalar_t> wkv = sequence<scalar_t>(in, b);
        wkv.mean = data<scalar_t>(out[3], b);
        wkv.sum = data<scalar_t>(out[4], b);
        wkv.d_y = data<scalar_t>(d_y, b);
        wkv.d_mean = data<scalar_t>(d_mean, b);
        wkv.d_sum = data<scalar_t>(d_sum, b);
        wkv.d_k = data<scalar_t>(d_k, b);
        wkv.d_v = data<scalar_t>(d_v, b);
        wkv.d_w = data<scalar_t>(d_w, b);
        wkv.d_u = data<scalar_t>(d_u, b);
        wkv.d_first_mean = data<scalar_t>(d_first_mean, b);
        wkv.d_first_sum = data<scalar_t>(d_first_sum, b);
        wkv_kernels<scalar_t>().backward(wkv);
      });
    });
    Tensors gradients = {d_k, d_v, d_w.sum(0), d_u.sum(0)};
    if (in.size() > 4) gradients.insert(gradients.end(), {d_first_mean, d_first_sum});
    return gradients;
  }
};

}  // namespace

WkvResult wkv(const WkvInputs& in, const GpuOrCpu& gpu) {
  if (gpu) return wkv_cuda(gpu, in);
  if (!in.k.is_cpu()) return wkv_reference(in);
  const at::ScalarType rounded = in.k.scalar_type(), exact = in.w.scalar_type();
  if (rounded != exact) {  // by autocast
    WkvInputs wide = in;
    for (Tensor* x : {&wide.k, &wide.v}) *x = x->to(exact);
    WkvResult result = wkv(wide);
    result.y = result.y.to(rounded);
    return result;
  }
  Tensors inputs = {in.k.contiguous(), in.v.contiguous(), in.w.contiguous(), in.u.contiguous()};
  if (in.mean.defined())
    inputs.insert(inputs.end(), {in.mean.contiguous(), in.log_sum.contiguous()});
  const Tensors out = differentiable(c10::make_intrusive<WkvOperation>(), inputs);
  return {out[0], out[1], out[2]};
}

WkvResult wkv_reference(const WkvInputs& in) {
  const Tensor like = in.k.select(1, 0).to(in.w.scalar_type());
  Tensor above = in.mean.defined() ? in.mean : at::zeros_like(like),
         below = in.mean.defined() ? at::ones_like(like) : at::zeros_like(like),
         most = in.mean.defined() ? in.log_sum : at::full_like(like, -1e38);
  std::vector<Tensor> y;
  for (std::int64_t t = 0; t < in.k.size(1); ++t) {
    const Tensor k = in.k.select(1, t), v = in.v.select(1, t);
    const Tensor top = at::maximum(most, in.u + k);
    const Tensor past = at::exp(most - top), present = at::exp(in.u + k - top);
    y.push_back((past * above + present * v) / (past * below + present));
    const Tensor next = at::maximum(most - in.w, k);
    const Tensor kept = at::exp(most - in.w - next), added = at::exp(k - next);
    above = kept * above + added * v;
    below = kept * below + added;
    most = next;
  }
  return {at::stack(y, 1), above / below, most + at::log(below)};
}

}  // namespace lcsm
