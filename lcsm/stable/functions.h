// The functions of namespace at that our files call.
#pragma once

#include "lcsm/stable/tensor.h"

namespace at {

#define LCSM_OF_A_TENSOR(name) \
  inline Tensor name(const Tensor& x) { return call("aten::" #name, "", x); }
LCSM_OF_A_TENSOR(abs)
LCSM_OF_A_TENSOR(cos)
LCSM_OF_A_TENSOR(erf)
LCSM_OF_A_TENSOR(exp)
LCSM_OF_A_TENSOR(expm1)
LCSM_OF_A_TENSOR(imag)
LCSM_OF_A_TENSOR(log)
LCSM_OF_A_TENSOR(log1p)
LCSM_OF_A_TENSOR(log_sigmoid)
LCSM_OF_A_TENSOR(neg)
LCSM_OF_A_TENSOR(real)
LCSM_OF_A_TENSOR(relu)
LCSM_OF_A_TENSOR(rsqrt)
LCSM_OF_A_TENSOR(sigmoid)
LCSM_OF_A_TENSOR(silu)
LCSM_OF_A_TENSOR(sin)
LCSM_OF_A_TENSOR(sqrt)
LCSM_OF_A_TENSOR(tanh)
LCSM_OF_A_TENSOR(view_as_complex)
LCSM_OF_A_TENSOR(view_as_real)
#undef LCSM_OF_A_TENSOR

#define LCSM_OF_TWO(name) \
  inline Tensor name(const Tensor& a, const Tensor& b) { return call("aten::" #name, "", a, b); }
LCSM_OF_TWO(bmm)
LCSM_OF_TWO(complex)
LCSM_OF_TWO(logaddexp)
LCSM_OF_TWO(matmul)
LCSM_OF_TWO(maximum)
LCSM_OF_TWO(minimum)
LCSM_OF_TWO(mm)
LCSM_OF_TWO(outer)
LCSM_OF_TWO(polar)
#undef LCSM_OF_TWO

inline Tensor add(const Tensor& a, const Tensor& b) { return a + b; }
inline Tensor sub(const Tensor& a, const Tensor& b) { return a - b; }
inline Tensor mul(const Tensor& a, const Tensor& b) { return a * b; }
inline Tensor div(const Tensor& a, const Tensor& b) { return a / b; }
inline Tensor pow(const Tensor& a, const Tensor& b) {
  return call("aten::pow", "Tensor_Tensor", a, b);
}
inline Tensor pow(const Tensor& a, double exponent) {
  return call_with_numbers("pow", a, {exponent});
}
inline Tensor pow(double base, const Tensor& exponent) {
  const Tensor beside = number_beside(exponent, base).to(exponent.device());
  return call("aten::pow", "Tensor_Tensor", beside, exponent);
}
inline Tensor clamp_min(const Tensor& x, double least) { return x.clamp_min(least); }
inline Tensor clamp_max(const Tensor& x, double most) { return x.clamp_max(most); }
inline Tensor where(const Tensor& condition, const Tensor& a, const Tensor& b) {
  return call("aten::where", "self", condition, a, b);
}
Tensor where(const Tensor& condition, double a, double b);
inline Tensor softplus(const Tensor& x) { return call_with_numbers("softplus", x, {}); }
inline Tensor softplus(const Tensor& x, double beta, double threshold) {
  return call_with_numbers("softplus", x, {beta, threshold});
}
inline Tensor elu(const Tensor& x) { return call_with_numbers("elu", x, {}); }
inline Tensor remainder(const Tensor& x, double by) {
  return call_with_numbers("remainder", x, {by});
}

Tensor empty(IntArrayRef sizes, const TensorOptions& options);
Tensor full(IntArrayRef sizes, double value, const TensorOptions& options);
inline Tensor zeros(IntArrayRef sizes, const TensorOptions& options) {
  return full(sizes, 0, options);
}
inline Tensor ones(IntArrayRef sizes, const TensorOptions& options) {
  return full(sizes, 1, options);
}
inline Tensor full_like(const Tensor& x, double value) {
  return full(x.sizes(), value, x.options());
}
Tensor arange(std::int64_t first, std::int64_t end, std::int64_t step,
              const TensorOptions& options);
inline Tensor arange(std::int64_t first, std::int64_t end, const TensorOptions& options) {
  return arange(first, end, 1, options);
}
inline Tensor arange(std::int64_t end, const TensorOptions& options) {
  return arange(0, end, 1, options);
}
Tensor tensor(const std::vector<std::int64_t>& numbers, const TensorOptions& options);
Tensor eye(std::int64_t size, const TensorOptions& options);
Tensor triu_indices(std::int64_t rows, std::int64_t columns, std::int64_t offset,
                    const TensorOptions& options);
inline Tensor scalar_tensor(double value, const TensorOptions& options) {
  return full({}, value, options);
}
inline Tensor empty_like(const Tensor& x) { return empty(x.sizes(), x.options()); }
inline Tensor zeros_like(const Tensor& x) { return zeros(x.sizes(), x.options()); }
inline Tensor ones_like(const Tensor& x) { return ones(x.sizes(), x.options()); }
inline Tensor ones_like(const Tensor& x, ScalarType dtype) {
  return ones(x.sizes(), x.options().dtype(dtype));
}
inline Tensor linspace(double first, double last, std::int64_t count,
                       const TensorOptions& options) {
  return call_with_numbers("linspace", empty({0}, options),
                           {first, last, static_cast<double>(count)});
}

Tensor cat(const std::vector<Tensor>& tensors, std::int64_t dim = 0);
Tensor stack(const std::vector<Tensor>& tensors, std::int64_t dim = 0);
Tensor cumsum(const Tensor& x, std::int64_t dim);
Tensor logcumsumexp(const Tensor& x, std::int64_t dim);
Tensor constant_pad_nd(const Tensor& x, IntArrayRef pad, double value = 0);
Tensor linear(const Tensor& x, const Tensor& weight,
              const std::optional<Tensor>& bias = std::nullopt);
Tensor layer_norm(const Tensor& x, IntArrayRef shape, const std::optional<Tensor>& weight,
                  const std::optional<Tensor>& bias, double eps);
Tensor rms_norm(const Tensor& x, IntArrayRef shape, const std::optional<Tensor>& weight,
                double eps);
inline Tensor argsort(const Tensor& x, std::int64_t dim) {
  return call("aten::argsort", "", x, dim, false);
}
inline std::pair<Tensor, Tensor> topk(const Tensor& x, std::int64_t count, std::int64_t dim,
                                      bool largest) {
  return call_for_two("aten::topk", "", x, count, dim, largest, true);
}
Tensor argmax(const Tensor& x, std::int64_t dim);
Tensor batch_norm(const Tensor& x, const Tensor& weight, const Tensor& bias, const Tensor& mean,
                  const Tensor& variance, bool training, double momentum, double eps,
                  bool cudnn_enabled);
Tensor diag_embed(const Tensor& x);
Tensor embedding(const Tensor& weight, const Tensor& indices);
Tensor fft_irfft(const Tensor& x, std::int64_t length, std::int64_t dim = -1);
Tensor fft_rfft(const Tensor& x, std::optional<std::int64_t> length = std::nullopt,
                std::int64_t dim = -1);
Tensor gelu(const Tensor& x, const std::string& approximate = "none");
Tensor glu(const Tensor& x, std::int64_t dim);
Tensor linalg_matrix_power(const Tensor& x, std::int64_t power);
Tensor linalg_solve(const Tensor& a, const Tensor& b);
Tensor linalg_vector_norm(const Tensor& x, double order, IntArrayRef dims, bool keepdim);
Tensor logsumexp(const Tensor& x, std::int64_t dim);
Tensor scaled_dot_product_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                                    const std::optional<Tensor>& mask = std::nullopt,
                                    double dropout = 0, bool causal = false);
Tensor _log_softmax(const Tensor& x, std::int64_t dim, bool half_to_float);
Tensor softmax(const Tensor& x, std::int64_t dim);
bool equal(const Tensor& a, const Tensor& b);

}  // namespace at
