// Small layers, random inputs and a numerical gradient for the tests of the recurrence.
#pragma once

#include <ATen/Parallel.h>
#include <ATen/core/Tensor.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "lcsm/code/variant.h"

namespace lcsm {

// Sets the number of LibTorch's threads during its lifetime. Use one for many small operations: on
// busy cores, threads would wait for each other in every operation.
struct Threads {
  explicit Threads(int number) { at::set_num_threads(number); }
  ~Threads() { at::set_num_threads(before); }
  int before = at::get_num_threads();
};

// By default k = 3, d = 5: neither is a multiple of anything.
Variant small_variant(const std::string& code, const Sizes& sizes = {5, 3});

// One code per row of the table, with e and s in each of their forms, and the fixed gates.
std::vector<std::string> row_codes();

at::Tensor random_input(std::int64_t B, std::int64_t T, std::int64_t D, std::uint64_t seed);

// Backward against central differences of step h, entry by entry of every input (in place);
// |difference| <= tolerance * (1 + |value|).
void expect_gradients(const std::function<at::Tensor()>& loss,
                      const std::map<std::string, at::Tensor>& inputs, double h, double tolerance);

}  // namespace lcsm
