#include "runner/models/families/bands.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "runner/config/keys/model_keys.h"
#include "runner/config/toml/config_value.h"

namespace runner {

std::vector<Band> bands_of(const RunConfig& config, std::int64_t vocab) {
  std::vector<Band> bands;
  if (!config.at("model.softmax"_key).used || config.is("model.softmax"_key, "full")) return bands;
  std::vector<std::int64_t> ends = cutoffs_of(config.text("model.cutoffs"_key));
  ends.push_back(vocab);
  std::int64_t first = 0, width = config.integer("model.d"_key);
  for (const std::int64_t end : ends) {
    const std::int64_t last = std::min(end, vocab);
    if (last > first) bands.push_back({first, last - first, width});
    first = last;
    width /= config.integer("model.narrowing"_key);
  }
  return bands;
}

void require_bands(const ModelPlan& plan) {
  const std::vector<Band> bands = bands_of(plan.config, plan.vocab);
  if (bands.empty()) return;
  const std::vector<std::int64_t> cutoffs = cutoffs_of(plan.config.text("model.cutoffs"_key));
  if (cutoffs.back() >= plan.vocab)
    throw std::invalid_argument("model.cutoffs: expected less than the " +
                                std::to_string(plan.vocab) + " tokens of the vocabulary, got " +
                                plan.config.text("model.cutoffs"_key));
}

double share_of(const Band& band, std::int64_t vocab) {
  const auto sum = [](std::int64_t rank) { return std::log(static_cast<double>(rank) + 1); };
  return (sum(band.end()) - sum(band.first)) / sum(vocab);
}

}  // namespace runner
