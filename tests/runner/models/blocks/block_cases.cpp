#include "tests/runner/models/blocks/block_cases.h"

#include <set>
#include <string_view>

#include "runner/systems/blocks.h"

namespace runner {

std::string BlockCase::name() const {
  std::string text = block;
  for (const std::string& setting : settings) text += " " + setting;
  return text;
}

lcsm::Block BlockCase::variant() const {
  const lcsm::BlockRow& row = *block_named(block);
  lcsm::Options options = lcsm::options_of(row);
  for (const std::string& setting : settings) options.set(setting);
  return lcsm::make_block(row, options, d);
}

namespace {

// Blocks without a case of their own, by their defaults.
std::vector<BlockCase> with_every_block(std::vector<BlockCase> cases) {
  std::set<std::string> named;
  for (const BlockCase& c : cases) named.insert(c.block);
  for (const lcsm::BlockRow* row : own_block_rows())
    if (!named.contains(std::string(row->name))) cases.push_back({std::string(row->name), {}});
  return cases;
}

}  // namespace

const std::vector<BlockCase>& block_cases() {
  static const std::vector<BlockCase> cases = with_every_block({
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
      {"rwkv4", {"layer=2", "layers=3"}},
      {"rwkv4-feed", {"layer=1", "layers=3", "width=5"}},
      {"hgrn", {"lower_bound=0.3"}},
      {"hgrn", {"bound=learned", "layer=2", "layers=4"}},
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
      {"etsmlp", {}},
      {"etsmlp", {"gate=true", "place=after_out", "hidden=7"}},
      {"etsmlp", {"bidirectional=true", "place=before_in"}},
      {"mega-feed", {}},
      {"mega", {}},
      {"mega", {"chunk=8", "attention=laplace"}},
      {"mega", {"modes=0", "causal=false"}},
      {"mega", {"chunk=8", "attention=relu2", "causal=false"}},
      {"mega", {"bidirectional=true", "attention=laplace", "bias=rotary", "z=4"}},
      {"s4++", {"modes=4", "replay_pad=zero"}},
      {"s4++", {"modes=4", "chunk=8"}},
      {"s4++", {"modes=4", "combine=sum"}},
      {"s4++", {"modes=4", "bidirectional=true", "causal=false", "bias=rotary", "output=glu"}},
  });
  return cases;
}

}  // namespace runner
