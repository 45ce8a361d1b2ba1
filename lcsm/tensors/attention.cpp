#include "lcsm/tensors/attention.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/scaled_dot_product_attention.h>

#include <cmath>

#include "lcsm/cpu/step/attention_cpu.h"
#include "lcsm/tensors/operation.h"
#include "lcsm/tensors/product.h"
#include "lcsm/tensors/shares.h"

namespace lcsm {
namespace {

using at::Tensor;

constexpr double kFlopsOfExponential = 20;

// Makes channels contiguous, as kernels read them.
Tensor with_rows(const Tensor& x) { return x.stride(3) == 1 ? x : x.contiguous(); }

// An empty [B, H, T, w] stored as [B, T, H, w], so that joining the heads copies nothing.
Tensor empty_heads(const Tensor& like) {
  return at::empty({like.size(0), like.size(2), like.size(1), like.size(3)}, like.options())
      .transpose(1, 2);
}

AttentionRows rows_of(const Tensor& x, std::int64_t b, std::int64_t h) {
  return {data<float>(x) + b * x.stride(0) + h * x.stride(1), x.stride(2)};
}

// Inputs q, k, v; kept for backward: log_sum [B, H, T].
struct AttentionOnCpu : Operation {
  bool causal = false;
  Tensor padding;  // [B, T] or undefined

  // Calls work(head, b, h) with the head's inputs, sizes and scratch space. products: matrix
  // products over all pairs, for the cost.
  template <class Work>
  void each_head(const Tensors& in, double products, const Work& work) const {
    const std::int64_t B = in[0].size(0), H = in[0].size(1);
    AttentionHead sizes;
    sizes.queries = in[0].size(2), sizes.keys = in[1].size(2), sizes.width = in[0].size(3);
    sizes.causal = causal;
    sizes.scale = static_cast<float>(1 / std::sqrt(static_cast<double>(sizes.width)));
    const double pairs = static_cast<double>(sizes.queries * sizes.keys) / (causal ? 2 : 1);
    const double flops = static_cast<double>(B * H) * pairs *
                         (2 * products * static_cast<double>(sizes.width) + kFlopsOfExponential);
    const Tensor scratch =
        at::empty({workers_for(B * H, flops), attention_kernels().scratch(sizes)}, in[0].options());
    each_sequence(B * H, flops, [&](std::int64_t n, const Share& share) {
      AttentionHead head = sizes;
      head.scratch = data<float>(scratch, share.worker);
      const std::int64_t b = n / H, h = n % H;
      head.hidden = data<bool>(padding, b);
      head.q = rows_of(in[0], b, h);
      head.k = rows_of(in[1], b, h);
      head.v = rows_of(in[2], b, h);
      work(head, b, h);
    });
  }

  Tensors forward(const Tensors& inputs) const override {
    const Tensors in{with_rows(inputs[0]), with_rows(inputs[1]), with_rows(inputs[2])};
    const Tensor y = empty_heads(in[0]),
                 log_sum = at::empty({y.size(0), y.size(1), y.size(2)}, y.options());
    each_head(in, 2, [&](AttentionHead& head, std::int64_t b, std::int64_t h) {
      head.y = rows_of(y, b, h);
      head.log_sum = data<float>(log_sum, b) + h * head.queries;
      attention_kernels().forward(head);
    });
    return {y, log_sum};
  }

  Tensors backward(const Tensors& inputs, const Tensors& outputs, const Tensors& d) const override {
    if (!d[0].defined()) return {{}, {}, {}};
    const Tensors in{with_rows(inputs[0]), with_rows(inputs[1]), with_rows(inputs[2])};
    const Tensor d_y = with_rows(d[0]), d_q = empty_heads(in[0]), d_k = empty_heads(in[1]),
                 d_v = empty_heads(in[2]);
    each_head(in, 5, [&](AttentionHead& head, std::int64_t b, std::int64_t h) {
      head.y = rows_of(outputs[0], b, h);
      head.log_sum = data<float>(outputs[1], b) + h * head.queries;
      head.d_y = rows_of(d_y, b, h);
      head.d_q = rows_of(d_q, b, h);
      head.d_k = rows_of(d_k, b, h);
      head.d_v = rows_of(d_v, b, h);
      attention_kernels().backward(head);
    });
    return {d_q, d_k, d_v};
  }
};

bool has_kernel(const Tensor& q, const Tensor& k, const Tensor& v, bool causal) {
  if (products_are_libtorchs() || (causal && q.size(2) != k.size(2))) return false;
  for (const Tensor* each : {&q, &k, &v})
    if (!each->is_cpu() || each->numel() == 0 ||
        (each->scalar_type() != at::kFloat && each->scalar_type() != at::kBFloat16))
      return false;
  return k.sizes() == v.sizes();
}

}  // namespace

Tensor seen_pairs(std::int64_t T, bool causal, const Tensor& padding,
                  const at::TensorOptions& options) {
  const at::TensorOptions bools = options.dtype(at::kBool);
  Tensor seen = at::ones({T, T}, bools);
  if (causal) seen = seen.tril();
  if (!padding.defined()) return seen;
  return (seen & ~padding.view({padding.size(0), 1, 1, T})) | at::eye(T, bools);
}

Tensor softmax_attention(const Tensor& q, const Tensor& k, const Tensor& v, bool causal,
                         const Tensor& padding) {
  if (!has_kernel(q, k, v, causal)) {
    if (!padding.defined())
      return at::scaled_dot_product_attention(q, k, v, std::nullopt, 0.0, causal);
    return at::scaled_dot_product_attention(q, k, v,
                                            seen_pairs(q.size(2), causal, padding, q.options()));
  }
  auto operation = c10::make_intrusive<AttentionOnCpu>();
  operation->causal = causal;
  if (padding.defined()) operation->padding = padding.contiguous();
  const Tensors in{q.to(at::kFloat), k.to(at::kFloat), v.to(at::kFloat)};
  return differentiable(std::move(operation), in)[0].to(q.scalar_type());
}

}  // namespace lcsm
