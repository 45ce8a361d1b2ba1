// Small models with weights of size 1 for the tests of models.
#pragma once

#include "runner/models/model.h"
#include "tests/lcsm/layer/layer_cases.h"
#include "tests/runner/models/model_config.h"

namespace runner {

// float64, V = 6, d = 4, k = 3, 2 layers, 2 heads; every weight normal / 2, norms around 1.
Model small_model(std::vector<std::string> settings);

at::Tensor some_tokens(std::int64_t B, std::int64_t T, std::int64_t V);  // [B, T]

// What makes models differ, a set of settings each.
std::vector<std::vector<std::string>> kinds_of_models();

std::map<std::string, at::Tensor> trained_by_name(const Model& model);

}  // namespace runner
