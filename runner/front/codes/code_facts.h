// Everything that `lcsm codes` shows about a code, collected once for the page, the table and JSON.
#pragma once

#include <string>
#include <vector>

#include "lcsm/code/decay.h"
#include "lcsm/code/plan.h"
#include "lcsm/code/wikitext.h"
#include "results/published/published.h"

namespace runner {

struct ModelOptions {
  lcsm::Sizes sizes;
  int vocab = 50265;
  int layers = 0;  // 0: the depth implied by the published total, or the default
};

// The WikiText-103 perplexities of a code in one of the paper's tables.
struct PublishedPerplexity {
  std::string table, params_m, note;
  double valid = 0, test = 0;
  int layers = 0;  // the depth whose total is params_m; 0 = none
};

struct CodeFacts {
  std::string text;  // canonical
  lcsm::Variant variant;
  lcsm::Plan plan;
  lcsm::Cost cost;
  lcsm::InitialDecay decay;
  lcsm::WikitextModel model;
  lcsm::ParameterCount parameters;
  std::vector<PublishedPerplexity> published;
  std::vector<std::string> warnings;
};

CodeFacts facts_of(const lcsm::Code& code, const lcsm::Catalogue& catalogue,
                   const ModelOptions& options);

}  // namespace runner
