#include "lcsm/tensors/one_dnn.h"

#include <ATen/Context.h>
#include <ATen/core/dispatch/Dispatcher.h>

#include <string_view>

namespace lcsm {
namespace {

using at::Tensor;

using Linear = Tensor(const Tensor& x, const Tensor& weight, const std::optional<Tensor>& bias,
                      std::string_view attribute, c10::List<std::optional<at::Scalar>> numbers,
                      std::optional<std::string_view> algorithm);

const std::optional<c10::TypedOperatorHandle<Linear>>& linear() {
  static const auto found = []() -> std::optional<c10::TypedOperatorHandle<Linear>> {
    const auto op = c10::Dispatcher::singleton().findSchema({"mkldnn::_linear_pointwise", ""});
    if (!op || !at::hasMKLDNN()) return std::nullopt;
    return op->typed<Linear>();
  }();
  return found;
}

}  // namespace

bool has_one_dnn() { return linear().has_value(); }

Tensor one_dnn_linear(const Tensor& x, const Tensor& weight, const std::optional<Tensor>& bias) {
  static const c10::List<std::optional<at::Scalar>> kNoNumbers;
  return linear()->call(x, weight, bias, "none", kNoNumbers, "");
}

}  // namespace lcsm
