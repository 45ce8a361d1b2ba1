#include "tests/ets/layer/family_cases.h"

#include <set>

#include "ets/families/family.h"

namespace ets {

std::string FamilyCase::name() const {
  std::string text = family;
  for (const std::string& setting : settings) text += " " + setting;
  return text;
}

lcsm::Block FamilyCase::variant(std::int64_t d) const {
  const lcsm::BlockRow* row = family_named(family);
  lcsm::Options options = lcsm::options_of(*row);
  for (const std::string& setting : settings) options.set(setting);
  return lcsm::make_block(*row, options, d);
}

std::vector<FamilyCase> family_cases() {
  const std::string both = "bidirectional=true";
  const std::string n = "output=none";
  std::vector<FamilyCase> cases = {{"ces", {}},
                                   {"ces", {both, "balance=true", "slow=true"}},
                                   {"ces", {"step=false", "expand=false", "max_lambda=0.5"}},
                                   {"ces", {"start=fixed", "skip=false"}},
                                   {"ces", {both, "form=real"}},
                                   {"ces", {"form=real", "expand=false", "normalize=true"}},
                                   {"ces", {"normalize=true"}},
                                   {"ema", {"modes=3"}},
                                   {"ema", {both, "modes=3"}},
                                   {"ema", {"modes=3", "truncation=16"}},
                                   {"ema", {both, "modes=2", "truncation=5"}}};
  for (const std::string rule : {"zoh", "bilinear", "dss"}) {
    cases.push_back({"s4d", {"modes=3", "discretization=" + rule, n}});
    cases.push_back({"s4d", {both, "modes=2", "discretization=" + rule, "systems=2", n}});
  }
  cases.insert(cases.end(),
               {{"s4d", {"modes=3", "form=real", "start=real", "discretization=bilinear"}},
                {"s4d", {"modes=3", "tied=false", "step=softplus", "expand=false", "start=inv"}},
                {"s4", {"modes=3", n}},
                {"s4", {both, "modes=2", "length=64", "systems=1", "step=softplus"}},
                {"s4", {"modes=2", "length=8", n}},
                {"dss", {"modes=3"}},
                {"dss", {both, "modes=3", "form=exp"}},
                {"dss", {"modes=2", "form=exp", "output=none"}},
                {"s5", {"modes=4", "blocks=2"}},
                {"s5", {both, "modes=3", "discretization=bilinear", "clip=true"}},
                {"s5", {"modes=3", "conjugate=false", "start=complex"}},
                {"s5", {"modes=2", "output=half_glu1"}},
                {"s5", {both, "modes=2", "output=half_glu2"}},
                {"s5", {"modes=2", "output=full_glu"}},
                {"s5", {"modes=2", "output=gelu"}},
                {"s4", {"modes=2", "replay=depthwise", n}},
                {"s4d", {both, "modes=2", "replay=full", "replay_taps=3", "replay_pad=zero", n}},
                {"ema", {"modes=2", "replay=scalar", "replay_taps=2", "replay_bias=false"}},
                {"s5", {"modes=3", "replay=depthwise", "replay_taps=1"}},
                {"dss", {"modes=2", "form=exp", "replay=full", n}},
                {"ces", {"replay=depthwise", "replay_taps=7"}},
                {"tnn", {"channels=6", "width=5", "layers=2"}},
                {"tnn", {both, "width=3", "layers=1", "gamma=0.9"}},
                {"h3", {"modes=2", "taps=5"}},
                {"h3", {"modes=2", "taps=3", "head_size=2", "discretization=zoh"}},
                {"etsmlp", {"hidden=6"}},
                {"etsmlp", {both, "gate=true", "place=before_in", "start_linear=xavier"}},
                {"etsmlp", {"hidden=3", "place=after_act", "form=real"}},
                {"etsmlp", {"hidden=3", "smooth_norm=layer"}},
                {"etsmlp", {both, "hidden=3", "gate=true", "place=after_out"}},
                {"mega-feed", {}},
                {"mega", {"modes=2", "positions=1000"}},
                {"mega", {both, "causal=false", "modes=2", "positions=1000", "attention=laplace"}},
                {"mega", {"modes=2", "chunk=7", "attention=laplace", "bias=none"}},
                {"mega", {both, "modes=2", "chunk=16", "attention=relu2", "causal=false"}},
                {"mega", {"modes=2", "chunk=64", "bias=rotary", "z=4", "v=3", "truncation=9"}}});
  cases.insert(cases.end(),
               {{"s4", {"modes=2", "skip=false", n}},
                {"s4++", {"modes=2", "positions=1000"}},
                {"s4++", {both, "causal=false", "modes=2", "positions=1000", "divisor=keys"}},
                {"s4++", {"modes=2", "chunk=7", "kernel=s4d", "skip=true", "replay_pad=zero"}},
                {"s4++", {both, "causal=false", "modes=2", "chunk=16", "output=glu"}},
                {"s4++", {"modes=2", "chunk=64", "bias=rotary", "q=4", "v=3", "replay=none"}}});
  std::set<std::string> named;
  for (const FamilyCase& each : cases) named.insert(each.family);
  for (const lcsm::BlockRow* row : family_rows())
    if (!named.contains(std::string(row->name))) cases.push_back({std::string(row->name), {}});
  return cases;
}

lcsm::Weights weights_of(const lcsm::Block& variant, std::uint64_t seed) {
  return initial_weights(variant, seed, at::kDouble);
}

}  // namespace ets
