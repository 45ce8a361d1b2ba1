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
      {"luna", {"packed=5"}},
      {"luna", {"heads=2", "activation=elu"}},
      {"luna", {"heads=2", "bidirectional=true"}},
      {"linformer", {"projected=9"}},
      {"linformer", {"heads=2", "length=130", "shared=true"}},
      {"flash", {}},
      {"flash", {"chunk=16", "shared=7", "size=10"}},
      {"flash", {"chunk=16", "bidirectional=true"}},
      {"gmlp", {}},
      {"gmlp", {"length=130", "size=6", "bidirectional=true"}},
      {"gmlp", {"spatial=toeplitz"}},
      {"gmlp", {"spatial=toeplitz", "bidirectional=true"}},
      {"gfnet", {"length=130"}},
      {"gfnet", {"length=131"}},
      {"bigbird", {}},
      {"bigbird", {"heads=2", "block=4", "random=2", "window=1", "global=1"}},
      {"bigbird", {"heads=2", "block=4", "random=2", "draw=5", "bidirectional=true"}},
      {"bigbird", {"block=5", "random=0", "global=0", "bidirectional=true"}},
      {"reformer", {}},
      {"reformer", {"heads=2", "buckets=4", "chunk=3", "rounds=2"}},
      {"reformer", {"heads=2", "buckets=4", "chunk=3", "bidirectional=true", "draw=1"}},
      {"reformer", {"heads=2", "buckets=4", "chunk=5", "duplicates=true"}},
      {"transformer-ls", {}},
      {"transformer-ls", {"heads=2", "window=4", "segment=3", "projected=2"}},
      {"transformer-ls", {"window=6", "projected=3", "bidirectional=true"}},
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
