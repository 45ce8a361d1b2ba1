// Decides which machine computes a variant, and estimates the cost, from the formula alone.
#pragma once

#include <optional>
#include <string>

#include "lcsm/code/variant.h"
#include "lcsm/formula/logarithm.h"

namespace lcsm {

enum class Machine : std::uint8_t {
  kChunk,    // chunked matrix products, the parts of log o as row and column scales
  kScan,     // fused scan, the gate computed in registers
  kComplex,  // fused scan of a complex memory, or of one with a `read`
  kModes,    // e, s and o static: a sum of modes, which do not vary with time
  kDelta,    // the delta rule: products of I - u v^T
};

struct Plan {
  Machine machine;
  std::optional<LogParts> parts;  // of log o, for kChunk; without the running softmax
  bool cumulative = false;        // a running softmax is computed first
  bool is_complex = false;        // the memory is complex
  bool rotates = false;           // e and s are rotated first: 2k features
  std::string why;                // one sentence on the choice
};

Plan plan_of(const Variant& variant);
std::string to_string(Machine machine);
std::string summary(const Plan& plan);        // "chunked matrix products, decay over k and d"
std::string short_summary(const Plan& plan);  // "chunk k, d"

// Per layer and token; a fused multiply-add is two FLOP, functions count as in functions.h.
struct Cost {
  std::int64_t state = 0;             // numbers carried from step to step
  std::int64_t projection_flops = 0;  // the matrix products before and after the recurrence
  std::int64_t recurrence_flops = 0;  // forward, by the plan's machine on a CPU
  std::int64_t recurrence_bytes = 0;  // forward: the op's inputs and outputs once, in fp32
};
Cost cost_of(const Variant& variant);

}  // namespace lcsm
