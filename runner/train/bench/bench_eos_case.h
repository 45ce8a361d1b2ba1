// One code at one shape with random inputs. Checks every contestant against ours, then times it.
#pragma once

#include <ATen/core/Tensor.h>

#include <string>
#include <vector>

#include "lcsm/layer/recurrence.h"
#include "runner/train/bench/contest.h"

namespace runner {

struct BenchShape {
  std::int64_t B = 1, T = 1;
  lcsm::Sizes sizes = {};
};

// ----- Inputs -----

struct BenchCase : ContestInputs {  // gradients of data and learned symbols
  lcsm::RecurrenceInputs inputs;

  std::int64_t bytes() const;  // of the op's inputs and output
};

// Normal data, learned symbols at their initial values, and keys that keep the memory bounded.
BenchCase make_case(const lcsm::Variant& variant, const BenchShape& shape, at::ScalarType dtype,
                    const ComputeDevice& device = {});

// ----- Contestants -----

struct BenchResult {
  std::string code;
  BenchShape shape;
  std::int64_t bytes = 0;               // of the op's inputs and output
  std::vector<Contestant> contestants;  // ours and, unless alone, the loop
};

// Contestants take turns until `budget` seconds are used. `alone`: skips the loop.
BenchResult bench_case(const std::string& code, const lcsm::Variant& variant,
                       const BenchShape& shape, at::ScalarType dtype, double budget,
                       const ComputeDevice& device = {}, bool alone = false);

ContestRules eos_rules(const std::string& code, const BenchShape& shape, at::ScalarType dtype,
                       double budget);

}  // namespace runner
