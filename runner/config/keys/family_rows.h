// The families of token mixers, one row each: the keys it reads and the rules between them. Its
// tensors and cost are in models/families, its forward pass in models/skeletons/mixers.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "lcsm/base/row_names.h"
#include "runner/config/keys/number_rule.h"

namespace runner {

struct FamilyRow {
  std::string_view name;
  std::string_view help;
  std::string_view keys;  // of group model that not every family reads; separated by blanks
  bool rotates = false;   // queries and keys of its heads, as model.positions = rope demands
  std::span<const NumberRule> rules = {};
};

inline constexpr std::array kAttentionRules = {
    NumberRule{"model.heads", "model.d",
               [](std::int64_t heads, std::int64_t d) { return d % heads == 0; },
               "a divisor of {}"},
};

inline constexpr std::array kEosRules = {
    NumberRule{"model.code_heads", "model.d",
               [](std::int64_t heads, std::int64_t d) { return d % heads == 0; },
               "a divisor of {}"},
    NumberRule{"model.code_heads", "model.k",
               [](std::int64_t heads, std::int64_t k) { return k % heads == 0; },
               "a divisor of {}"},
};

inline constexpr std::array kFamilyRows = {
    FamilyRow{"eos", "the layer that model.code names",
              "model.code model.k model.code_heads model.conv model.qk_norm model.head_norm "
              "model.output_gate model.bonus",
              false, kEosRules},
    FamilyRow{"attention", "softmax attention", "model.heads model.attention", true,
              kAttentionRules},
    FamilyRow{"system", "a system that model.system names", "model.system"},
};

}  // namespace runner
