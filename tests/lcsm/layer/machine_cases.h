// Runs one recurrence on two backends: inputs for any variant, and all results.
#pragma once

#include <map>
#include <string>

#include "lcsm/layer/recurrence.h"

namespace lcsm {

struct CaseShape {
  std::int64_t B = 1, T = 1;
  double reach = 1;        // standard deviation of data and learned symbols
  bool continues = false;  // from a random state
};

RecurrenceInputs random_inputs(const Variant& variant, const CaseShape& shape, std::uint64_t seed,
                               at::ScalarType dtype = at::kDouble);

// Converts the inputs to a dtype and a device.
RecurrenceInputs moved(const RecurrenceInputs& inputs, const at::TensorOptions& to);

// Copies of the inputs whose numbers begin one behind the start of their memory.
RecurrenceInputs at_odd_places(const RecurrenceInputs& inputs);

// y, state.m, state.log_sum, and the gradient of a random weighting of them by every input: "d i",
// "d p_k", "d state.m", ... A missing gradient is 0.
std::map<std::string, at::Tensor> everything(const Variant& variant, const RecurrenceInputs& inputs,
                                             const On& on);

// Requires of each tensor |difference| <= tolerance * the largest magnitude of the expected one +
// floor.
void expect_near(const std::map<std::string, at::Tensor>& got,
                 const std::map<std::string, at::Tensor>& expected, double tolerance,
                 double floor = 0);

// Like expect_near, and gradients are exactly 0 where 0 is expected.
void expect_alike(const std::map<std::string, at::Tensor>& got,
                  const std::map<std::string, at::Tensor>& expected, double tolerance,
                  double floor = 0);

}  // namespace lcsm
