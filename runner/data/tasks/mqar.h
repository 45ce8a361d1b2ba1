// Multi-query associative recall, after zoology's data/multiquery_ar.py. With T = 12, D = 2:
//
//   tokens   4 7 2 6  4 0 2 0 0 0 0 0        k1 v1 k2 v2, then queries among the filler
//   labels   - - - -  7 - 6 - - - - -        the value of the queried key
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runner/base/random/random.h"
#include "runner/config/run/run_config.h"
#include "runner/data/tasks/task.h"

namespace runner {

struct MqarOptions {
  std::int64_t vocab = 8192;  // V > T; keys are 1 .. V/2-1, values V/2 .. V-1
  std::int64_t length = 64;   // T, even, at least 4 D
  std::int64_t pairs = 4;     // D
  double power = 0.01;        // query slot g is drawn with weight (g+1)^(power-1)
  bool random_filler = false;
};
MqarOptions mqar_options(const RunConfig& config);

// Functions for the task's row in tasks/task.cpp.
TaskCount mqar_vocabulary(const RunConfig& config);
TaskCount mqar_examples(const RunConfig& config, Split split);
std::int64_t mqar_scored(const RunConfig& config);

// One example, written to the caller's memory. The j-th key is queried at position queries[j] of
// tokens, and answers[j] is its value; no other position is scored.
struct MqarExample {
  std::span<std::int32_t> tokens;   // [T]
  std::span<std::int32_t> queries;  // [D]
  std::span<std::int32_t> answers;  // [D]
};

// An example is a function of (options, seed, split, index): generated at any time, in any order.
// One instance per thread.
class Mqar {
 public:
  Mqar(const MqarOptions& options, std::uint64_t seed);
  void make(Split split, std::uint64_t index, const MqarExample& into);

 private:
  std::int32_t distinct(RandomStream& random, std::int64_t first, std::int64_t count);
  std::size_t draw_slot(RandomStream& random);
  void change_weight(std::size_t slot, std::int64_t by);

  MqarOptions options_;
  std::uint64_t seed_;
  std::vector<std::uint32_t> drawn_in_;  // by token: the last example that drew it
  std::uint32_t example_ = 0;            // number of the current one
  std::vector<std::int64_t> weights_;    // by slot, in 2^-40 of the largest
  std::vector<std::int64_t> sums_;       // Fenwick tree over the remaining slots
  std::int64_t left_ = 0;                // the remaining weight
  std::vector<std::size_t> slots_;       // drawn for this example
};

}  // namespace runner
