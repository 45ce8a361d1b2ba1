// Tunes one code at one shape: tries each choice of lcsm/cuda/driver/choices.h with each of its
// values. Compares every variant with the CPU's machine in float32, then times it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "lcsm/cuda/driver/choices.h"
#include "runner/train/bench/bench_eos_case.h"

namespace runner {

struct TuneCase {
  std::string code;
  lcsm::Variant variant;  // sized for the shape
  BenchShape shape;
  at::ScalarType type = at::kBFloat16;
};
std::string name_of(const TuneCase& of);  // "1-9-1-0 at 1024,512,64,64"

struct TuneVariant {
  // One choice, or the winners of several choices together; empty: the rules.
  std::vector<std::pair<lcsm::Choice, int>> choices;
  double difference = 0;         // the largest of y and the gradients, relative to the norm
  double forward = 0, both = 0;  // seconds, medians
  bool is_chosen = false;
  std::string refusal = {};  // why it cannot be chosen, without times
};
std::string name_of(const TuneVariant& variant);  // "rules", "walk-stages 2"

struct TuneResult {
  std::string name;                     // of the case
  std::vector<TuneVariant> variants;    // the rules first
  std::vector<lcsm::ChoiceLine> lines;  // the requested choices, each with its best value
};

// Compiles the kernels of all variants of all cases in parallel, into the GPU's cache. A kernel
// that does not compile fails when it runs.
void compile_variants(const std::vector<TuneCase>& cases, const lcsm::Gpu& gpu);

// `budget`: seconds. Restores the GPU's choices at the end.
TuneResult tune(const TuneCase& of, const ComputeDevice& device, double budget);

// The table with measured lines replacing lines of equal architecture, choice and shape; of two
// measurements the first counts.
std::vector<lcsm::ChoiceLine> with_measured(std::vector<lcsm::ChoiceLine> table,
                                            const std::vector<lcsm::ChoiceLine>& measured);

}  // namespace runner
