#include "runner/front/codes/code_facts.h"

#include <cmath>
#include <cstdlib>

namespace runner {
namespace {

// Published totals are rounded to hundredths of a million.
int depth_of_total(const lcsm::Variant& variant, int vocab, const std::string& params_m) {
  const std::int64_t printed = std::llround(std::strtod(params_m.c_str(), nullptr) * 100);
  for (int layers = 1; layers <= 64; ++layers) {
    const std::int64_t total = lcsm::model_parameters(variant, {vocab, layers}).total();
    if ((total + 5000) / 10000 == printed) return layers;
  }
  return 0;
}

std::vector<PublishedPerplexity> published_of(const std::string& code, const lcsm::Variant& variant,
                                              int vocab) {
  std::vector<PublishedPerplexity> found;
  for (const results::PublishedValue& value : results::published_values()) {
    if (value.row != code || value.task != "wikitext-103" || value.metric != "ppl") continue;
    if (found.empty() || found.back().table != value.paper + "/" + value.table ||
        found.back().params_m != value.params_m)
      found.push_back({value.paper + "/" + value.table, value.params_m, value.note, 0, 0,
                       depth_of_total(variant, vocab, value.params_m)});
    (value.split == "valid" ? found.back().valid : found.back().test) = value.value;
  }
  return found;
}

int depth(const CodeFacts& facts, const lcsm::Catalogue& catalogue, const ModelOptions& options) {
  if (options.layers > 0) return options.layers;
  if (!facts.published.empty() && facts.published[0].layers > 0) return facts.published[0].layers;
  return lcsm::default_depth(facts.variant.code, catalogue);
}

}  // namespace

CodeFacts facts_of(const lcsm::Code& code, const lcsm::Catalogue& catalogue,
                   const ModelOptions& options) {
  CodeFacts facts;
  facts.text = lcsm::to_string(code, catalogue);
  facts.variant = lcsm::make_variant(code, catalogue, options.sizes);
  facts.plan = lcsm::plan_of(facts.variant);
  facts.cost = lcsm::cost_of(facts.variant);
  facts.decay = lcsm::initial_decay(facts.variant);
  facts.published = published_of(facts.text, facts.variant, options.vocab);
  facts.model = {options.vocab, depth(facts, catalogue, options)};
  facts.parameters = lcsm::model_parameters(facts.variant, facts.model);
  facts.warnings = lcsm::warnings_of(facts.variant.oscillation);
  return facts;
}

}  // namespace runner
