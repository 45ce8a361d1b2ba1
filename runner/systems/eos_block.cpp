#include "runner/systems/eos_block.h"

#include <stdexcept>

#include "lcsm/code/code.h"
#include "lcsm/code/plan.h"

namespace runner {
namespace {

EosParts around(const lcsm::Variant& variant, std::int64_t d, std::int64_t heads) {
  EosParts parts;
  parts.variant = variant;
  parts.d = d;
  parts.heads = static_cast<int>(heads);
  return parts;
}

}  // namespace

void check_block_parts(std::string_view block, const EosParts& parts) {
  try {
    check_parts(parts);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(std::string(block) + ": " + error.what());
  }
}

lcsm::Mixing mixing_of(const EosParts& parts) {
  const bool batched = parts.heads > 1 && can_batch_heads(parts);
  const lcsm::Variant head = head_variant(parts, batched);
  const lcsm::Plan plan = lcsm::plan_of(head);
  const lcsm::Cost one = lcsm::cost_of(head);
  const lcsm::Sizes& all = parts.variant.sizes;
  const double heads = parts.heads, taps = lcsm::real(parts.taps);
  const double convolved =
      all.d + (parts.variant.e_static() ? 0 : all.k) + (parts.variant.s_static() ? 0 : all.k);
  lcsm::Mixing mixing = {lcsm::to_string(plan.machine), heads * lcsm::real(one.recurrence_flops),
                         heads * lcsm::real(one.state)};
  if (plan.cumulative) mixing.state += heads * head.sizes.k;  // of the running softmax
  if (taps > 0) {
    mixing.flops += lcsm::convolution(taps, convolved);
    mixing.state += (taps - 1) * convolved;
  }
  return mixing;
}

EosParts coded(const EosText& text, std::int64_t d, std::int64_t heads) {
  lcsm::Variant v;
  v.oscillation = lcsm::make_oscillation(text.oscillation);
  v.code.o = v.oscillation.name;
  v.code.a = text.a;
  v.gate = lcsm::gate_of(v.o());
  v.sizes = {text.d, text.k};
  return around(v, d, heads);
}

EosParts coded(std::string_view code, std::int64_t k, std::int64_t inner, std::int64_t d,
               std::int64_t heads) {
  static const lcsm::Catalogue catalogue;
  return around(lcsm::make_variant(lcsm::parse_code(code, catalogue), catalogue,
                                   {static_cast<int>(inner), static_cast<int>(k)}),
                d, heads);
}

}  // namespace runner
