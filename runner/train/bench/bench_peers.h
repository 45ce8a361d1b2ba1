// The baseline of `bench eos`: the recurrence in well-written tensor operations under autograd.
#pragma once

#include <ATen/core/Tensor.h>

#include <string>

#include "lcsm/layer/recurrence.h"

namespace runner {

// A loop over time, for every variant: y [B, T, D] from a zero state. Computes bfloat16 in float32,
// as ours does.
at::Tensor loop_over_time(const lcsm::Variant& variant, const lcsm::RecurrenceInputs& inputs);

// The reason why the loop cannot compute these inputs; "" if it can.
std::string loop_refusal(const lcsm::Variant& variant, const lcsm::RecurrenceInputs& inputs);

// ----- Its parts -----

// Computes variants whose memory is complex or has a `read`.
at::Tensor complex_loop(const lcsm::Variant& variant, const lcsm::RecurrenceInputs& inputs);

// Empty if `count` numbers of x's dtype fit into free memory, else a message.
std::string too_much(double count, const at::Tensor& x);

}  // namespace runner
