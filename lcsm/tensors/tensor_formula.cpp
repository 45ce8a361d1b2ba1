#include "lcsm/tensors/tensor_formula.h"

#include <ATen/ops/abs.h>
#include <ATen/ops/add.h>
#include <ATen/ops/clamp_max.h>
#include <ATen/ops/cos.h>
#include <ATen/ops/div.h>
#include <ATen/ops/elu.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/log.h>
#include <ATen/ops/log_sigmoid.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/minimum.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/neg.h>
#include <ATen/ops/pow.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/silu.h>
#include <ATen/ops/sin.h>
#include <ATen/ops/sqrt.h>
#include <ATen/ops/sub.h>
#include <ATen/ops/tanh.h>

#include <cmath>
#include <stdexcept>

namespace lcsm {
namespace {

using at::Tensor;

// 1 where a = 0, else 0. At 0 a root or logarithm has an infinite slope, which times 0 is NaN. At
// a + is_zero(a) the slope is finite.
Tensor is_zero(const Tensor& a) { return a.eq(0).to(a.scalar_type()); }

// In float32 at most 2^126, as in cpu/tape_functions_cpu-inl.h.
Tensor exponential(const Tensor& a) {
  return at::exp(a.scalar_type() == at::kFloat ? at::clamp_max(a, 87.3365) : a);
}

Tensor logarithm(const Tensor& a) {
  return at::log(at::add(a, is_zero(a))).masked_fill(a.eq(0), -kInfinity);
}

Tensor root(const Tensor& a) {
  const Tensor zero = is_zero(a);
  return at::sub(at::sqrt(at::add(a, zero)), zero);
}

Tensor power(const Tensor& a, double exponent) {
  if (exponent < 0 || exponent == std::floor(exponent)) return at::pow(a, exponent);
  const Tensor zero = is_zero(a);
  return at::sub(at::pow(at::add(a, zero), exponent), zero);
}

Tensor power(const Tensor& a, const Tensor& exponent) {
  const Tensor zero = is_zero(a), positive = exponent.gt(0).to(exponent.scalar_type());
  const Tensor guard = at::mul(zero, at::add(positive, is_zero(exponent)));  // 0^-1 is infinite
  return at::sub(at::pow(at::add(a, guard), exponent), at::mul(zero, positive));  // 0^0 is 1
}

Tensor apply(Function f, const Tensor& x, const Tensor& y) {
  switch (f) {
    case Function::kExp:
      return exponential(x);
    case Function::kLog:
      return logarithm(x);
    case Function::kSigmoid:
      return at::sigmoid(x);
    case Function::kSoftplus:
      return at::neg(at::log_sigmoid(at::neg(x)));  // at::softplus is x itself above 20
    case Function::kTanh:
      return at::tanh(x);
    case Function::kRelu:
      return at::relu(x);
    case Function::kElu:
      return at::elu(x);
    case Function::kSilu:
      return at::silu(x);
    case Function::kSqrt:
      return root(x);
    case Function::kAbs:
      return at::abs(x);
    case Function::kMin:
      return at::minimum(x, y);
    case Function::kMax:
      return at::maximum(x, y);
    case Function::kStep:
      return x.gt(0).to(x.scalar_type());
    case Function::kCos:
      return at::cos(x);
    case Function::kSin:
      return at::sin(x);
    case Function::kRotate:
    case Function::kCumsoftmax:
    case Function::kComplex:
      break;
  }
  throw std::logic_error("evaluate_tensor: '" + std::string(row_of(f).name) +
                         "' has no value at one step");
}

// `arg` gives the value of an argument.
Tensor evaluated(const Expr& e, const std::function<Tensor(const Symbol&)>& value_of,
                 const at::TensorOptions& options, const std::function<Tensor(std::size_t)>& arg) {
  switch (e->op) {
    case Op::kNumber:
      return at::scalar_tensor(e->number, options);
    case Op::kSymbol:
      return value_of(e->symbol);
    case Op::kNegate:
      return at::neg(arg(0));
    case Op::kAdd:
      return at::add(arg(0), arg(1));
    case Op::kSubtract:
      return at::sub(arg(0), arg(1));
    case Op::kMultiply:
      return at::mul(arg(0), arg(1));
    case Op::kDivide:
      return at::div(arg(0), arg(1));
    case Op::kPower:
      // A constant exponent needs no gradient, which would be log 0 * 0 at a base of 0.
      if (const auto exponent = constant(e->args[1])) return power(arg(0), *exponent);
      return power(arg(0), arg(1));
    case Op::kCall:
      break;
  }
  return apply(e->function, arg(0), e->args.size() > 1 ? arg(1) : Tensor());
}

}  // namespace

Tensor evaluate_tensor(const Expr& e, const std::function<Tensor(const Symbol&)>& value_of,
                       const at::TensorOptions& options) {
  return evaluated(e, value_of, options,
                   [&](std::size_t i) { return evaluate_tensor(e->args[i], value_of, options); });
}

Tensor TensorFormulas::operator()(const Expr& e) {
  if (const auto found = known_.find(e); found != known_.end()) return found->second;
  const Tensor value =
      evaluated(e, value_of_, options_, [&](std::size_t i) { return (*this)(e->args[i]); });
  known_.emplace(e, value);
  return value;
}

}  // namespace lcsm
