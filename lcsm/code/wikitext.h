// The paper's WikiText-103 model around a layer: its parameters and its depth.
#pragma once

#include "lcsm/code/variant.h"

namespace lcsm {

// The embedding is tied to the head; each layer has a mixer and a GLU of width 4/3 d, each after an
// affine norm; a final norm (scheme A of the totals that the paper prints).
struct WikitextModel {
  int vocab = 50265;
  int layers = 0;
};

struct ParameterCount {
  std::int64_t learned = 0;
  std::int64_t fixed = 0;   // slopes, angles, frozen gates
  std::int64_t stored = 0;  // numbers that the official layer stores without using them
  std::int64_t total() const { return learned + fixed + stored; }  // as the paper counts
};

ParameterCount mixer_parameters(const Variant& variant);
ParameterCount model_parameters(const Variant& variant, const WikitextModel& model);

// The paper's totals fit one rule: the depth at which all layers together, at d = 512 and k = 128,
// come nearest to 275 k d numbers (9 layers with a d x d gate, 10 or 11 without).
int default_depth(const Code& code, const Catalogue& catalogue);

}  // namespace lcsm
