// Products on the stable ABI: oneDNN by the dispatcher, affine as an operation.
#include <string>

#include "lcsm/tensors/one_dnn.h"
#include "lcsm/tensors/operation.h"
#include "lcsm/tensors/product.h"
#include "lcsm/tensors/rounded.h"

namespace lcsm {
namespace {

using at::Tensor;

at::Tensor rows(const Tensor& x) { return x.reshape({-1, x.size(-1)}); }

struct Affine : Operation {
  Tensors forward(const Tensors& in) const override {
    std::vector<std::int64_t> shape = in[0].sizes().vec();
    shape.back() = in[1].size(0);
    const std::optional<Tensor> bias = in.size() > 2 ? std::optional(in[2]) : std::nullopt;
    return {product(rows(in[0]), in[1], bias).view(shape)};
  }

  Tensors backward(const Tensors& in, const Tensors&, const Tensors& d) const override {
    if (!d[0].defined()) return {};
    const Tensor x = rows(in[0]), d_y = rows(d[0]);
    Tensor d_weight = at::empty(in[1].sizes(), in[1].options());
    add_product_of_columns(d_y, x, &d_weight, /*from_nothing=*/true);
    Tensors result{product(d_y, in[1].t()).view(in[0].sizes()), d_weight};
    if (in.size() > 2) result.push_back(d_y.sum(0));
    return result;
  }
};

}  // namespace

bool has_one_dnn() { return true; }

Tensor one_dnn_linear(const Tensor& x, const Tensor& weight, const std::optional<Tensor>& bias) {
  return at::call("mkldnn::_linear_pointwise", "", x, weight, bias, std::string("none"),
                  std::vector<std::optional<double>>(), std::optional<std::string>(""));
}

// Only a trainer rounds weights ahead.
Tensor rounded(const Tensor& weight) { return weight; }

Tensor affine(const Tensor& x, const Tensor& weight, const Tensor& bias) {
  if (!products_are_wide(x, weight) || x.numel() == 0 ||
      at::autocast::is_autocast_enabled(at::DeviceType()))
    return at::linear(x, weight, bias.defined() ? std::optional(bias) : std::nullopt);
  Tensors in{x, weight};
  if (bias.defined()) in.push_back(bias);
  return differentiable(c10::make_intrusive<Affine>(), in)[0];
}

}  // namespace lcsm
