// The one op:
//
//   m_t = o_t (.) m_{t-1} + e_t (x) i_t,  y_t[d] = sum_k s_t[k,d] m_t[k,d];
//
// the real part if the memory is complex.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "lcsm/code/variant.h"
#include "lcsm/cuda/driver/gpu_or_cpu.h"
#include "lcsm/layer/observer.h"

namespace lcsm {

struct Compiled;

// The state that is carried from step to step; of undefined tensors: the sequence starts here.
struct State {
  at::Tensor m;  // [B, K, D]; if it is complex [B, 2K, D]: the real rows, then the imaginary ones
  at::Tensor log_sum;  // only for a running softmax: log of its sum so far, [B], [B, K] or [B, D]
};

struct RecurrenceInputs {
  at::Tensor i;     // [B, T, D]
  at::Tensor e, s;  // [B, T, K], or static [K, D]; after the activation
  // The symbols of the gate and its scale. Data: p [B, T], p_k [B, T, K], p_d [B, T, D]; learned or
  // fixed: w [], w_k [K], w_d [D], w_kd [K, D].
  std::map<Symbol, at::Tensor> symbols;
  State state;
  at::Tensor s_imaginary = {};  // the imaginary part of a static s, [K, D]; undefined = 0
  // Only for a matrix oscillation, [B, T]: log of the factor of the memory before the step, <= 0;
  // undefined = 0.
  at::Tensor log_decay = {};
};

struct RecurrenceResult {
  at::Tensor y;  // [B, T, D]
  State state;   // after the last step
};

// Selects how the recurrence is computed.
enum class Backend : std::uint8_t {
  kReference,  // the definition
  kMachine,    // the plan's machine
};

// The backend and the GPU; either alone converts to it.
struct On {
  On(Backend by = Backend::kMachine, GpuOrCpu on = nullptr) : backend(by), gpu(std::move(on)) {}
  On(GpuOrCpu on) : On(Backend::kMachine, std::move(on)) {}

  Backend backend;
  GpuOrCpu gpu;  // its memory holds the tensors; null = CPU
};

// Compiled once: plan, simplified formulas and tapes, so that a call does arithmetic only. Copies
// share them.
class Recurrence {
 public:
  explicit Recurrence(const Variant& variant);

  // float64, float32, or bfloat16 with the state and all sums in float32; under autograd, with
  // gradients of every input and of the state. The machines refuse second derivatives.
  RecurrenceResult operator()(const RecurrenceInputs& inputs, const On& on = {}) const;

  const Variant& variant() const;
  const std::vector<Symbol>& symbols() const;  // the symbols whose values the inputs give

 private:
  std::shared_ptr<const Compiled> compiled_;
};

using RecurrenceObserver = Observer<Recurrence, RecurrenceInputs>;

// The definition: a plain loop over time in tensor operations, any floating dtype, under autograd,
// with gradients of every input and of the state. Every machine is checked against it.
RecurrenceResult recurrence_reference(const Variant& variant, const RecurrenceInputs& inputs);

// Computes the recurrence of checked inputs: on a CPU in float32 or float64, on a GPU in float32 or
// bfloat16. Throws std::invalid_argument if there is no machine for them.
RecurrenceResult by_machines(const Compiled& compiled, const RecurrenceInputs& inputs,
                             const GpuOrCpu& gpu);

// The dtype of the state for inputs of this dtype: float64 for float64, else float32.
at::ScalarType state_dtype(at::ScalarType dtype);

// Throws std::invalid_argument: who, expected, got. `symbols`: given_symbols of the variant.
void check_inputs(const Variant& variant, const std::vector<Symbol>& symbols,
                  const RecurrenceInputs& inputs);

// Slopes, angles and indices as tensors, shaped like a learned symbol of the same axes; sizes as
// tensors []. The caller must not change them: on a GPU they are copied once and shared.
at::Tensor fixed_tensor(const Symbol& symbol, const Sizes& sizes, const at::TensorOptions& options,
                        const GpuOrCpu& gpu = nullptr);

}  // namespace lcsm
