// Small models with weights of size 1 for the tests of models.
#pragma once

#include "runner/models/skeletons/model.h"
#include "tests/lcsm/layer/layer_cases.h"
#include "tests/runner/models/skeletons/model_config.h"

namespace runner {

// float64, V = 6, d = 4, k = 3, 2 layers, 2 heads; weights normal / 2, norms' weights near 1.
Model small_model(std::vector<std::string> settings);

at::Tensor some_tokens(std::int64_t B, std::int64_t T, std::int64_t V);  // [B, T]

// Settings of models that differ in kind, one list per model.
std::vector<std::vector<std::string>> kinds_of_models();

std::map<std::string, at::Tensor> trained_by_name(const Model& model);

}  // namespace runner
