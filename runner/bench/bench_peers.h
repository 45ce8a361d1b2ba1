// The recurrence as a good engineer writes it in tensor operations under autograd: what `bench eos`
// holds ours against.
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <string>
#include <vector>

#include "lcsm/layer/recurrence.h"

namespace runner {

struct Peer {
  std::string name;  // "loop", "quadratic", "chunk64"
  // y [B, T, D] from a state of 0; bfloat16 is computed in float32, as ours is.
  std::function<at::Tensor(const lcsm::Variant&, const lcsm::RecurrenceInputs&)> run;
  // Why it cannot compute these inputs; empty: it can.
  std::function<std::string(const lcsm::Variant&, const lcsm::RecurrenceInputs&)> refusal;
};

// The loop, and where the gate's logarithm falls apart the quadratic form and the chunks.
std::vector<Peer> peers_of(const lcsm::Variant& variant);

// ----- Their parts -----

// A loop over time; every variant.
at::Tensor loop_over_time(const lcsm::Variant& variant, const lcsm::RecurrenceInputs& inputs);
std::string loop_refusal(const lcsm::Variant& variant, const lcsm::RecurrenceInputs& inputs);

// Matrix products in chunks of `length` steps (0: all of them, the masked quadratic form), the
// decays as scales of rows and columns; variants that `has_chunks`.
at::Tensor in_chunks(const lcsm::Variant& variant, const lcsm::RecurrenceInputs& inputs,
                     std::int64_t length);
bool has_chunks(const lcsm::Variant& variant);
std::string chunks_refusal(const lcsm::Variant& variant, const lcsm::RecurrenceInputs& inputs,
                           std::int64_t length);

// e and s turned by the cumulated angle, so that the memory need not be: [B, T, 2K].
struct Turned {
  at::Tensor e, s;
};
Turned turned(const lcsm::Variant& variant, const lcsm::RecurrenceInputs& inputs,
              const at::Tensor& e, const at::Tensor& s);

// Empty where `count` numbers like x fit into the memory that is free.
std::string too_much(double count, const at::Tensor& x);

}  // namespace runner
