#include <ATen/autocast_mode.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/mm.h>
#include <torch/csrc/autograd/custom_function.h>

#include "lcsm/tensors/operation.h"
#include "lcsm/tensors/product.h"
#include "lcsm/tensors/rounded.h"

namespace lcsm {
namespace {

using at::Tensor;

struct WideAffine : torch::autograd::Function<WideAffine> {
  static Tensor forward(torch::autograd::AutogradContext* ctx, const Tensor& x,
                        const Tensor& weight, const std::optional<Tensor>& bias) {
    ctx->save_for_backward({x, weight, bias.value_or(Tensor())});
    std::vector<std::int64_t> shape = x.sizes().vec();
    shape.back() = weight.size(0);
    return product(x.reshape({-1, x.size(-1)}), weight, bias).view(shape);
  }

  static Tensors backward(torch::autograd::AutogradContext* ctx, const Tensors& d) {
    const Tensors saved = ctx->get_saved_variables();
    const Tensor x = saved[0].reshape({-1, saved[0].size(-1)}), &weight = saved[1];
    const Tensor d_y = d[0].reshape({-1, d[0].size(-1)});
    // If a second derivative is wanted, the gradient is built from operations that are
    // differentiable.
    const bool plain = at::GradMode::is_enabled();
    Tensor d_x, d_weight, d_bias;
    if (ctx->needs_input_grad(0)) {
      d_x = plain ? at::mm(d_y, weight) : product(d_y, weight.t());
      d_x = d_x.view(saved[0].sizes());
    }
    if (ctx->needs_input_grad(1) && plain) d_weight = at::mm(d_y.t(), x);
    if (ctx->needs_input_grad(1) && !plain) {
      d_weight = at::empty(weight.sizes(), weight.options());
      add_product_of_columns(d_y, x, &d_weight, /*from_nothing=*/true);
    }
    if (saved[2].defined() && ctx->needs_input_grad(2)) d_bias = d_y.sum(0);
    return {d_x, d_weight, d_bias};
  }
};

}  // namespace

Tensor affine(const Tensor& x, const Tensor& given_weight, const Tensor& given_bias) {
  const Tensor weight = rounded(given_weight), bias = rounded(given_bias);
  const std::optional<Tensor> b = bias.defined() ? std::optional(bias) : std::nullopt;
  if (!products_are_wide(x, weight) || x.numel() == 0 ||
      at::autocast::is_autocast_enabled(at::kCPU))
    return at::linear(x, weight, b);
  return WideAffine::apply(x, weight, b);
}

}  // namespace lcsm
