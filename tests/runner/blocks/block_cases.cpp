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
      {"eos", {"k=6"}},
      {"eos",
       {"k=6", "heads=2", "conv=3", "qk_norm=rms", "head_norm=layer", "output_gate=sigmoid"}},
      {"eos", {"code=1-1-1-4", "k=6", "heads=2", "bonus=true", "head_norm=rms", "scale=true"}},
      {"eos", {"code=1-9-1-0", "k=4", "heads=4", "bonus=true", "output_gate=silu"}},
      {"eos", {"code=1-12-1-0", "k=4", "heads=2", "qk_norm=l2"}},
      {"eos", {"code=1-7-1-2", "k=4", "heads=2", "conv=2"}},
      {"eos", {"code=0-0-1-2", "k=4", "heads=2", "conv=2"}},
      {"eos", {"code=0-ces-0-0", "k=4", "heads=2", "output_gate=identity"}},
      {"eos", {"code=1-11-1-3", "k=4", "heads=2"}},
      {"eos", {"code=1-4-1-0@o=fixed", "k=4", "heads=2"}},
      {"eos", {"code=ssm", "k=4", "heads=2", "conv=4"}},
      {"eos", {"code=m2", "k=8", "heads=2", "qk_norm=l2"}},
      {"tnl", {"heads=4", "layer=1", "layers=3"}},
      {"gla", {"heads=2", "rank=2"}},
      {"lrpe", {"heads=2"}},
      {"gateloop", {}},
      {"gateloop", {"heads=2", "k=4", "output_gate=none"}},
      {"dur", {}},
      {"gfw", {"heads=2", "tau=4"}},
      {"delta-net", {"heads=2"}},
      {"delta-net", {"conv=0", "heads=2", "output_gate=silu", "qk_norm=rms"}},
      {"gated-delta", {"heads=2"}},
      {"gated-delta", {"heads=2", "v=4", "k=6", "output_gate=none"}},
      {"mamba-2", {"state=3"}},
      {"mamba-2", {"state=3", "heads=4"}},
  };
  return cases;
}

}  // namespace runner
