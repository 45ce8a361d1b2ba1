#include "tests/runner/blocks/block_cases.h"

#include "runner/systems/blocks.h"

namespace runner {

std::string BlockCase::name() const {
  std::string text = block;
  for (const std::string& setting : settings) text += " " + setting;
  return text;
}

ets::Variant BlockCase::variant() const {
  const ets::FamilyRow& row = *block_named(block);
  ets::Options options(row.name, row.options);
  for (const std::string& setting : settings) options.set(setting);
  return ets::make_variant(row, options, d);
}

const std::vector<BlockCase>& block_cases() {
  static const std::vector<BlockCase> cases = {
      {"base-conv", {}},
      {"base-conv", {"taps=1"}},
      {"etsmlp", {}},
      {"etsmlp", {"gate=true", "place=after_out", "hidden=7"}},
      {"etsmlp", {"bidirectional=true", "place=before_in"}},
      {"mega-feed", {}},
      {"mega", {}},
      {"mega", {"chunk=8", "attention=laplace"}},
      {"mega", {"chunk=8", "attention=relu2", "causal=false"}},
      {"mega", {"bidirectional=true", "attention=laplace", "bias=rotary", "z=4"}},
  };
  return cases;
}

}  // namespace runner
