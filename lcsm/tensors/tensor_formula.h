// `evaluate` for tensors, under autograd and in any dtype.
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <map>

#include "lcsm/formula/formula.h"

namespace lcsm {

// The tensors of the symbols are broadcast against each other; numbers take `options`.
at::Tensor evaluate_tensor(const Expr& e, const std::function<at::Tensor(const Symbol&)>& value_of,
                           const at::TensorOptions& options);

// Subexpressions that several formulas share are computed once.
class TensorFormulas {
 public:
  TensorFormulas(std::function<at::Tensor(const Symbol&)> value_of,
                 const at::TensorOptions& options)
      : value_of_(std::move(value_of)), options_(options) {}
  at::Tensor operator()(const Expr& e);

 private:
  struct Before {
    bool operator()(const Expr& a, const Expr& b) const { return compare(a, b) < 0; }
  };
  const std::function<at::Tensor(const Symbol&)> value_of_;
  const at::TensorOptions options_;
  std::map<Expr, at::Tensor, Before> known_;
};

}  // namespace lcsm
