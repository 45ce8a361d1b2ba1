#include "lcsm/stable/functions.h"

#include <torch/csrc/inductor/aoti_torch/generated/c_shim_aten.h>

#include <algorithm>
#include <string_view>

namespace at {
namespace {

std::int32_t number_of(ScalarType dtype) {
  return torch::stable::detail::to<std::int32_t>(torch::stable::detail::from(dtype));
}

// Called by number: torch 2.11 never frees a text that it is given.
constexpr std::string_view kWithNumbers[] = {"elu", "gelu",      "linspace", "pad",
                                             "pow", "remainder", "softplus", "vector_norm"};

}  // namespace

std::string names_with_numbers() {
  std::string names;
  for (const std::string_view name : kWithNumbers) names += std::string(name) + ' ';
  return names;
}

Tensor call_with_numbers(const char* name, const Tensor& x, const std::vector<double>& numbers) {
  const auto function =
      std::find(std::begin(kWithNumbers), std::end(kWithNumbers), name) - std::begin(kWithNumbers);
  return call("lcsm::with_numbers", "", std::int64_t{function}, x, numbers);
}

Tensor empty(IntArrayRef sizes, const TensorOptions& options) {
  std::vector<std::int64_t> strides(sizes.size());
  std::int64_t stride = 1;
  for (std::size_t n = sizes.size(); n-- > 0; stride *= std::max<std::int64_t>(sizes[n], 1))
    strides[n] = stride;
  AtenTensorHandle out = nullptr;
  check_call(aoti_torch_empty_strided(static_cast<std::int64_t>(sizes.size()), sizes.data(),
                                      strides.data(), number_of(options.type), options.on.type(),
                                      options.on.index(), &out),
             "empty");
  return Tensor(out);
}
Tensor full(IntArrayRef sizes, double value, const TensorOptions& options) {
  std::int32_t dtype = number_of(options.type), device = options.on.type();
  AtenTensorHandle out = nullptr;
  check_call(aoti_torch_aten_full(sizes.data(), static_cast<std::int64_t>(sizes.size()), value,
                                  &dtype, nullptr, &device, options.on.index(), nullptr, &out),
             "full");
  return Tensor(out);
}

Tensor cat(const std::vector<Tensor>& tensors, std::int64_t dim) {
  return call("aten::cat", "", tensors, dim);
}
Tensor stack(const std::vector<Tensor>& tensors, std::int64_t dim) {
  return call("aten::stack", "", tensors, dim);
}
Tensor cumsum(const Tensor& x, std::int64_t dim) {
  return call("aten::cumsum", "", x, dim, kSameType);
}
Tensor logcumsumexp(const Tensor& x, std::int64_t dim) {
  return call("aten::logcumsumexp", "", x, dim);
}
Tensor constant_pad_nd(const Tensor& x, IntArrayRef pad, double value) {
  std::vector<double> numbers{value};
  numbers.insert(numbers.end(), pad.begin(), pad.end());
  return call_with_numbers("pad", x, numbers);
}
Tensor linear(const Tensor& x, const Tensor& weight, const std::optional<Tensor>& bias) {
  return call("aten::linear", "", x, weight, bias);
}
Tensor layer_norm(const Tensor& x, IntArrayRef shape, const std::optional<Tensor>& weight,
                  const std::optional<Tensor>& bias, double eps) {
  return call("aten::layer_norm", "", x, Sizes(shape), weight, bias, eps, true);
}
Tensor rms_norm(const Tensor& x, IntArrayRef shape, const std::optional<Tensor>& weight,
                double eps) {
  return call("aten::rms_norm", "", x, Sizes(shape), weight, std::optional<double>(eps));
}
Tensor where(const Tensor& condition, double a, double b) {
  const TensorOptions floats = condition.options().dtype(kFloat);
  return where(condition, full({}, a, floats), full({}, b, floats));
}
Tensor arange(std::int64_t first, std::int64_t end, std::int64_t step,
              const TensorOptions& options) {
  const std::int64_t count =
      std::max<std::int64_t>(0, (end - first + step - (step > 0 ? 1 : -1)) / step);
  const Tensor numbers = empty({count}, kDouble);
  for (std::int64_t n = 0; n < count; ++n)
    numbers.mutable_data_ptr<double>()[n] = static_cast<double>(first + n * step);
  return numbers.to(options);
}
Tensor tensor(const std::vector<std::int64_t>& numbers, const TensorOptions& options) {
  const Tensor all = empty({static_cast<std::int64_t>(numbers.size())}, kLong);
  std::copy(numbers.begin(), numbers.end(), all.mutable_data_ptr<std::int64_t>());
  return all.to(options);
}
Tensor eye(std::int64_t size, const TensorOptions& options) {
  const Tensor numbers = zeros({size, size}, kDouble);
  for (std::int64_t n = 0; n < size; ++n) numbers.mutable_data_ptr<double>()[n * (size + 1)] = 1;
  return numbers.to(options);
}
Tensor triu_indices(std::int64_t rows, std::int64_t columns, std::int64_t offset,
                    const TensorOptions& options) {
  return call("aten::triu_indices", "", rows, columns, offset, std::optional(options.type),
              std::optional<torch::headeronly::Layout>(), std::optional<torch::stable::Device>(),
              std::optional<bool>())
      .to(options);
}

Tensor argmax(const Tensor& x, std::int64_t dim) {
  return call("aten::argmax", "", x, std::optional(dim), false);
}
Tensor batch_norm(const Tensor& x, const Tensor& weight, const Tensor& bias, const Tensor& mean,
                  const Tensor& variance, bool training, double momentum, double eps,
                  bool cudnn_enabled) {
  return call("aten::batch_norm", "", x, std::optional(weight), std::optional(bias),
              std::optional(mean), std::optional(variance), training, momentum, eps, cudnn_enabled);
}
Tensor diag_embed(const Tensor& x) {
  return call("aten::diag_embed", "", x, std::int64_t{0}, std::int64_t{-2}, std::int64_t{-1});
}
Tensor embedding(const Tensor& weight, const Tensor& indices) {
  return call("aten::embedding", "", weight, indices, std::int64_t{-1}, false, false);
}
Tensor fft_irfft(const Tensor& x, std::int64_t length, std::int64_t dim) {
  return call("aten::fft_irfft", "", x, std::optional(length), dim, std::optional<std::string>());
}
Tensor fft_rfft(const Tensor& x, std::optional<std::int64_t> length, std::int64_t dim) {
  return call("aten::fft_rfft", "", x, length, dim, std::optional<std::string>());
}
Tensor gelu(const Tensor& x, const std::string& approximate) {
  return call_with_numbers("gelu", x, {approximate == "tanh" ? 1.0 : 0.0});
}
Tensor glu(const Tensor& x, std::int64_t dim) { return call("aten::glu", "", x, dim); }
Tensor linalg_matrix_power(const Tensor& x, std::int64_t power) {
  return call("aten::linalg_matrix_power", "", x, power);
}
Tensor linalg_solve(const Tensor& a, const Tensor& b) {
  return call("aten::linalg_solve", "", a, b, true);
}
Tensor linalg_vector_norm(const Tensor& x, double order, IntArrayRef dims, bool keepdim) {
  std::vector<double> numbers{order, keepdim ? 1.0 : 0.0};
  for (const std::int64_t dim : dims) numbers.push_back(static_cast<double>(dim));
  return call_with_numbers("vector_norm", x, numbers);
}
Tensor logsumexp(const Tensor& x, std::int64_t dim) {
  return call("aten::logsumexp", "", x, Sizes(dim), false);
}
Tensor scaled_dot_product_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                                    const std::optional<Tensor>& mask, double dropout,
                                    bool causal) {
  return call("aten::scaled_dot_product_attention", "", q, k, v, mask, dropout, causal,
              std::optional<double>(), false);
}
Tensor _log_softmax(const Tensor& x, std::int64_t dim, bool half_to_float) {
  return call("aten::_log_softmax", "", x, dim, half_to_float);
}
Tensor softmax(const Tensor& x, std::int64_t dim) {
  return call("aten::softmax", "int", x, dim, kSameType);
}
bool equal(const Tensor& a, const Tensor& b) { return call<bool>("aten::equal", "", a, b); }

}  // namespace at
