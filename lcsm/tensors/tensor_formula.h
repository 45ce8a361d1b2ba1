// `evaluate` for tensors, under autograd and in any dtype.
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>

#include "lcsm/formula/formula.h"

namespace lcsm {

// The tensors of the symbols are broadcast against each other; numbers take `options`.
at::Tensor evaluate_tensor(const Expr& e, const std::function<at::Tensor(const Symbol&)>& value_of,
                           const at::TensorOptions& options);

}  // namespace lcsm
