#include "runner/systems/blocks.h"

#include <array>
#include <stdexcept>

#include "ets/families/family.h"
#include "runner/systems/attention.h"

namespace runner {

std::span<const lcsm::BlockRow* const> own_block_rows() {
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

const lcsm::BlockRow* block_named(std::string_view name) {
  for (const lcsm::BlockRow* row : own_block_rows())
    if (row->name == name) return row;
  return ets::family_named(name);
}

bool sees_later_steps(const lcsm::Block& v) {
  return v.row == &kLinformer || v.row == &kGfnet || lcsm::is_two_sided(v);
}

void check_steps(const lcsm::Block& v, std::int64_t T) {
  for (const lcsm::OptionRow& option : v.row->options)
    if (option.name == "length" && v.options.integer(option.name) > 0) check_length(v, T);
  if (v.row->name != "mega" || v.options.text("bias") != "simple" ||
      v.options.integer("chunk") > 0 || T <= v.options.integer("positions"))
    return;
  throw std::invalid_argument("mega: expected at most positions=" + v.options.text("positions") +
                              " steps, got " + std::to_string(T) +
                              ": set the option positions, or chunk");
}

}  // namespace runner
