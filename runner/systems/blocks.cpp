#include "runner/systems/blocks.h"

#include <array>
#include <stdexcept>

#include "runner/systems/attention.h"

namespace runner {

std::span<const ets::FamilyRow* const> own_block_rows() {
  static constexpr std::array kRows = {
      &kBaseConv,  &kTransformer, &kMlp,       &kGlu,           &kLinearTransformer,
      &kPerformer, &kLuna,        &kLinformer, &kFlash,         &kGmlp,
      &kGfnet,     &kBigbird,     &kReformer,  &kTransformerLs, &kMamba,
      &kRwkv4,     &kRwkv4Feed,   &kHgrn,      &kRetnet,        &kCosformer,
      &kBased,     &kEos,         &kTnl,       &kGla,           &kLrpe,
      &kGateLoop,  &kDur,         &kGfw,       &kDeltaNet,      &kGatedDelta,
      &kMamba2};
  return kRows;
}

const ets::FamilyRow* block_named(std::string_view name) {
  for (const ets::FamilyRow* row : own_block_rows())
    if (row->name == name) return row;
  return ets::family_named(name);
}

bool sees_later_steps(const ets::Variant& v) {
  return v.family == &kLinformer || v.family == &kGfnet || ets::is_two_sided(v);
}

void check_steps(const ets::Variant& v, std::int64_t T) {
  for (const ets::OptionRow& option : v.family->options)
    if (option.name == "length" && v.options.integer(option.name) > 0) check_length(v, T);
  if (v.family->name != "mega" || v.options.text("bias") != "simple" ||
      v.options.integer("chunk") > 0 || T <= v.options.integer("positions"))
    return;
  throw std::invalid_argument("mega: expected at most positions=" + v.options.text("positions") +
                              " steps, got " + std::to_string(T) +
                              ": set the option positions, or chunk");
}

}  // namespace runner
