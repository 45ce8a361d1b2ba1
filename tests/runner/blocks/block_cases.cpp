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
      {"transformer", {}},
      {"transformer", {"heads=2", "positions=rope"}},
      {"transformer", {"heads=2", "bidirectional=true"}},
      {"mlp", {}},
      {"mlp", {"activation=relu", "size=12"}},
      {"glu", {}},
      {"glu", {"activation=sigmoid", "size=5"}},
      {"linear-transformer", {}},
      {"linear-transformer", {"heads=2", "bidirectional=true"}},
      {"performer", {"heads=2"}},
      {"performer", {"features=11", "bidirectional=true", "draw=3"}},
      {"performer", {"kernel=relu", "features=9"}},
  };
  return cases;
}

}  // namespace runner
