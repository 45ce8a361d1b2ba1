// A formula over whole tensors in one pass, under autograd; tensor_formula.h takes a pass per
// operation.
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>

#include "lcsm/formula/formula.h"

namespace lcsm {

// [B, T, N]. Symbols are [B, T, N], [B, T, 1], [N] or []; float32 or float64. tau must already be
// replaced by its number.
at::Tensor map_formula(const Expr& e, const std::function<at::Tensor(const Symbol&)>& value_of,
                       std::int64_t B, std::int64_t T, std::int64_t N);

}  // namespace lcsm
