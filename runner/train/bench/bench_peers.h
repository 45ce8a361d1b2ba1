// The baselines of `bench eos`: the recurrence as a good engineer would write it in tensor
// operations under autograd.
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <string>
#include <vector>

#include "lcsm/layer/recurrence.h"

namespace runner {

struct Peer {
  std::string name;  // "loop", "quadratic", "chunk64"
  // y [B, T, D] from a state of 0; bfloat16 is computed in float32, as in ours.
  std::function<at::Tensor(const lcsm::Variant&, const lcsm::RecurrenceInputs&)> run;
  // The reason why it cannot compute these inputs; "" if it can.
  std::function<std::string(const lcsm::Variant&, const lcsm::RecurrenceInputs&)> refusal;
};

// The loop; also the quadratic form and the chunks if the gate's logarithm is separable.
std::vector<Peer> peers_of(const lcsm::Variant& variant);

// ----- Their parts -----

// Loops over time, for every variant. loop_over_time calls complex_loop for memories that are
// complex or read by weights.
at::Tensor loop_over_time(const lcsm::Variant& variant, const lcsm::RecurrenceInputs& inputs);
at::Tensor complex_loop(const lcsm::Variant& variant, const lcsm::RecurrenceInputs& inputs);
std::string loop_refusal(const lcsm::Variant& variant, const lcsm::RecurrenceInputs& inputs);

// Matrix products over chunks of `length` steps (0: the whole sequence, the masked quadratic form),
// with the decays as scales of rows and columns; for variants with `has_chunks`.
at::Tensor in_chunks(const lcsm::Variant& variant, const lcsm::RecurrenceInputs& inputs,
                     std::int64_t length);
bool has_chunks(const lcsm::Variant& variant);
std::string chunks_refusal(const lcsm::Variant& variant, const lcsm::RecurrenceInputs& inputs,
                           std::int64_t length);

// e and s rotated by the cumulative angle, so that the memory need not be: [B, T, 2K].
struct Rotated {
  at::Tensor e, s;
};
Rotated rotated(const lcsm::Variant& variant, const lcsm::RecurrenceInputs& inputs,
                const at::Tensor& e, const at::Tensor& s);

// Empty if `count` numbers of x's dtype fit into free memory, else a message.
std::string too_much(double count, const at::Tensor& x);

}  // namespace runner
