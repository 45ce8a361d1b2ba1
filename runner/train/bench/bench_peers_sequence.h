// Evaluates a formula over a whole sequence or step by step: parts that do not vary over k, d and
// time together are computed once, as in hand-written code.
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <memory>
#include <optional>

#include "lcsm/formula/logarithm.h"
#include "lcsm/layer/recurrence.h"

namespace runner {

// The value at step t, shaped to broadcast against [B, K, D]: [B, 1, 1], [K, 1], [1, D] and so on.
using Steps = std::function<at::Tensor(std::int64_t t)>;

class Sequence {
 public:
  Sequence(const lcsm::Variant& variant, const lcsm::RecurrenceInputs& inputs);

  // The axes over which a value varies; `o` in a scale varies as the gate does.
  lcsm::Type type(const lcsm::Expr& e) const;
  // True if it varies over k, d and time together: too large to be computed for all steps at once.
  bool varies(const lcsm::Expr& e) const;

  // The value if varies(e) is false: [B, T, X] with data, X = K, D or 1; static [X], [], or [K, D].
  at::Tensor whole(const lcsm::Expr& e) const;
  Steps steps(const lcsm::Expr& e) const;
  // exp(log o), which is more accurate, if log o is simple; else o as written.
  lcsm::Expr gate() const;
  std::optional<lcsm::LogParts> log_parts() const;  // if the gate's logarithm is separable

  // Sets the value of `o` in a scale: for all steps, or for the current step.
  void set_gate(const at::Tensor& whole) { gate_whole_ = whole; }
  const at::Tensor& gate_whole() const { return gate_whole_; }
  at::Tensor& gate_now() { return *gate_now_; }

 private:
  at::Tensor value(const lcsm::Symbol& s, bool over_both) const;

  const lcsm::Variant& v_;
  const lcsm::RecurrenceInputs& in_;
  at::Tensor gate_whole_;
  std::shared_ptr<at::Tensor> gate_now_ = std::make_shared<at::Tensor>();
};

// The steps of a whole value.
Steps steps_of(const at::Tensor& whole, const lcsm::Type& type);

}  // namespace runner
