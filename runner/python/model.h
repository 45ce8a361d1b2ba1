// The model of a run for Python: built from the run's configuration, computed with given weights.
#pragma once

#include <string>
#include <vector>

#include "runner/models/skeletons/model.h"

namespace runner {

class MadeModel {
 public:
  // `config`: TOML, as in a run's folder. `vocab`: the number of tokens of its data.
  MadeModel(const std::string& config, std::int64_t vocab);

  // The task's outputs (outputs.h) as in evaluation, without dropout. Weights in the order of the
  // description. `carried`: as in Model::hidden.
  at::Tensor operator()(const std::vector<at::Tensor>& weights, const Inputs& inputs,
                        const lcsm::GpuOrCpu& gpu, Carried* carried = nullptr) const;

  // JSON: "tensors", the task's "inputs" and "head", and the "id" of a run of this configuration.
  std::string description() const;

 private:
  Model model_;  // its tensors have shapes only
};

// Made once for each configuration. Throws ConfigError, std::invalid_argument.
const MadeModel& made_model(const std::string& config, std::int64_t vocab);

}  // namespace runner
