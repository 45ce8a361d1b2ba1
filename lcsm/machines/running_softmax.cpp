#include "lcsm/machines/running_softmax.h"

#include <ATen/Dispatch.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/full.h>
#include <ATen/ops/logcumsumexp.h>
#include <ATen/ops/zeros_like.h>

#include <limits>

#include "lcsm/cpu/decay_cpu.h"
#include "lcsm/tensors/operation.h"
#include "lcsm/tensors/shares.h"

namespace lcsm {
namespace {

using at::Tensor;

constexpr double kFlopsPerEntry = 40;  // an exponential, a logarithm, a few sums

void over_batch(const Tensor& z, const std::function<void(std::int64_t)>& work) {
  each_sequence(z.size(0), kFlopsPerEntry * static_cast<double>(z.numel()),
                [&](std::int64_t b, const Share&) { work(b); });
}

// Inputs z and, if it continues, log_sum; results log o and log_sum.
struct RunningSoftmax : Operation {
  RunningSoftmax() { results = 2; }

  Tensors forward(const Tensors& in) const override {
    const Tensor& z = in[0];
    const Tensor log_o = at::empty_like(z);
    const Tensor log_sum = in.size() > 1
                               ? in[1].clone()
                               : at::full({z.size(0), z.size(2)},
                                          -std::numeric_limits<double>::infinity(), z.options());
    AT_DISPATCH_FLOATING_TYPES(z.scalar_type(), "running_softmax", [&] {
      over_batch(z, [&](std::int64_t b) {
        decay_kernels<scalar_t>().running_softmax(z.size(1), z.size(2), data<scalar_t>(z, b),
                                                  data<scalar_t>(log_o, b),
                                                  data<scalar_t>(log_sum, b));
      });
    });
    return {log_o, log_sum};
  }

  Tensors backward(const Tensors& in, const Tensors& out, const Tensors& d_out) const override {
    const Tensor &z = in[0], &log_o = out[0];
    const Tensor d_log_o = d_out[0].defined() ? d_out[0].contiguous() : at::zeros_like(z);
    const Tensor d_last = d_out[1].defined() ? d_out[1].contiguous() : at::zeros_like(out[1]);
    const Tensor d_z = at::empty_like(z), d_first = at::empty_like(d_last);
    AT_DISPATCH_FLOATING_TYPES(z.scalar_type(), "running_softmax_backward", [&] {
      over_batch(z, [&](std::int64_t b) {
        decay_kernels<scalar_t>().running_softmax_backward(
            z.size(1), z.size(2), data<scalar_t>(log_o, b), data<scalar_t>(d_log_o, b),
            data<scalar_t>(d_last, b), data<scalar_t>(d_z, b), data<scalar_t>(d_first, b));
      });
    });
    if (in.size() == 1) return {d_z};
    return {d_z, d_first};
  }
};

}  // namespace

std::pair<Tensor, Tensor> running_softmax(const Tensor& z, const Tensor& log_sum) {
  Tensors in{z.contiguous()};
  if (log_sum.defined()) in.push_back(log_sum.contiguous());
  const Tensors out = differentiable(c10::make_intrusive<RunningSoftmax>(), in);
  return {out[0], out[1]};
}

// Each log o has a rounding error of the size of L's, but sums of log o are differences of two L,
// so the error does not grow with T.
std::pair<Tensor, Tensor> running_softmax_anywhere(const Tensor& z, const Tensor& log_sum) {
  const std::int64_t T = z.size(1);
  if (!log_sum.defined()) {
    const Tensor L = at::logcumsumexp(z, 1);
    const Tensor start =
        at::full({z.size(0), 1, z.size(2)}, -std::numeric_limits<double>::infinity(), z.options());
    return {at::cat({start, L.narrow(1, 0, T - 1) - L.narrow(1, 1, T - 1)}, 1), L.select(1, T - 1)};
  }
  const Tensor L = at::logcumsumexp(at::cat({log_sum.unsqueeze(1), z}, 1), 1);
  return {L.narrow(1, 0, T) - L.narrow(1, 1, T), L.select(1, T)};
}

}  // namespace lcsm
