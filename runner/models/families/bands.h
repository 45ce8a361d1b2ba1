// The tokens of an adaptive softmax, by bands of frequency: the first band has vectors of full
// width, each further one narrower ones and a projection (Grave et al. 2017; Baevski and Auli
// 2019). The embedding and the softmax share both.
#pragma once

#include <cstdint>
#include <vector>

#include "runner/models/families/model_tensors.h"

namespace runner {

struct Band {
  std::int64_t first = 0;  // the tokens first .. first + tokens - 1
  std::int64_t tokens = 0;
  std::int64_t width = 0;

  std::int64_t end() const { return first + tokens; }
};

// Empty with model.softmax = full. If the estimated size of a vocabulary ends before the last
// cutoff, there are fewer bands.
std::vector<Band> bands_of(const RunConfig& config, std::int64_t vocab);

// Throws std::invalid_argument if a band would have no token.
void require_bands(const ModelPlan& plan);

// The share of a band in a text by Zipf's law: the token of rank r has a share proportional to 1/r.
double share_of(const Band& band, std::int64_t vocab);

}  // namespace runner
