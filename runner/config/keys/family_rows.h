// The families of token mixers, one row each: the family's keys and the rules between them. Tensors
// and costs are in models/families, forward passes in models/skeletons/mixers.
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
  std::string_view keys;  // of group model, separated by blanks, without keys of all families
  bool rotates = false;   // queries and keys, as model.positions = rope requires
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
