// A formula over whole tensors in one pass, under autograd; tensor_formula.h takes a pass per
// operation.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "lcsm/cuda/driver/gpu_or_cpu.h"
#include "lcsm/formula/formula.h"
#include "lcsm/tensors/operation.h"

namespace lcsm {

struct Tape;

// Compiled for N columns.
class MapFormula {
 public:
  // tau must already be replaced by its number.
  MapFormula(const Expr& e, std::int64_t N);

  // Returns [B, T, N]. Symbols over the data are [B, T, N] or, without an axis, [B, T, 1]; others
  // are [N] or, without an axis and for sizes, []. float32 or float64.
  at::Tensor operator()(const std::function<at::Tensor(const Symbol&)>& value_of, std::int64_t B,
                        std::int64_t T) const;
  Pending pending(const std::function<at::Tensor(const Symbol&)>& value_of, std::int64_t B,
                  std::int64_t T) const;
  // On a GPU, in float32 or bfloat16. Symbols over the data may be of either, others are float32.
  // Undefined: there is no kernel.
  at::Tensor on(const GpuOrCpu& gpu, const std::function<at::Tensor(const Symbol&)>& value_of,
                std::int64_t B, std::int64_t T, at::ScalarType type) const;

 private:
  std::int64_t N_;
  std::vector<Symbol> symbols_;  // in the order of the tape's leaves
  std::shared_ptr<const Tape> tape_;
};

}  // namespace lcsm
