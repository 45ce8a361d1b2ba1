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
      {"mamba", {"state=3"}},
      {"mamba", {"state=2", "groups=2", "rank=3", "taps=2", "expand=1", "bias=true"}},
      {"mamba", {"state=2", "taps=1", "conv_bias=false"}},
      {"rwkv4", {}},
      {"rwkv4", {"depth=1"}},
      {"rwkv4-feed", {"depth=0.5", "width=5"}},
      {"hgrn", {"lower_bound=0.3"}},
      {"hgrn", {"form=real"}},
      {"hgrn", {"bidirectional=true"}},
      {"hgrn", {"bidirectional=true", "shared=true"}},
      {"hgrn", {"bidirectional=true", "form=real", "lower_bound=0.2"}},
      {"retnet", {"heads=2", "value=12"}},
      {"retnet", {"heads=4", "form=chunks", "chunk=8"}},
      {"retnet", {"form=recurrent", "heads=2"}},
      {"cosformer", {"heads=2"}},
      {"cosformer", {"heads=2", "bidirectional=true"}},
      {"based", {"heads=2", "feature=3"}},
      {"based", {"view=quadratic", "feature=2"}},
  };
  return cases;
}

}  // namespace runner
