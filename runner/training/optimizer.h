// An optimizer of config/optimizer_rows.h: gradients collected and clipped, parameters updated.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "runner/config/run_config.h"
#include "runner/models/model.h"

namespace runner {

// Parameters that decay alike, and what an update needs beside them.
struct ParameterGroup {
  double decay = 0;
  double rate = 1;  // times the optimizer's
  std::vector<std::string> names = {};
  std::vector<at::Tensor> values = {}, gradients = {};
  std::vector<std::vector<at::Tensor>> state = {};  // by kind, in the order of the row
  std::vector<at::Tensor> steps = {};  // [] each, float32: the fused kernels want them so
};

struct OptimizerSettings {
  double beta1, beta2, eps;
};

// `skip`: as of Optimizer::step.
using UpdateParameters = void(const ParameterGroup& group, const OptimizerSettings& settings,
                              const at::Tensor& rate, const std::optional<at::Tensor>& skip);

class Optimizer {
 public:
  // For the trained parameters, which are updated in place.
  Optimizer(const RunConfig& config, const std::vector<ModelParameter>& parameters);

  // A step: clear, backward once or more often, collect, step.
  void clear_gradients();
  // Returns the norm of all gradients. If it exceeds a `clip` above 0, scales them to that norm.
  double collect_gradients(double clip);
  // The same without waiting for a device: the norm stays there, [] float64.
  at::Tensor queue_gradients(double clip);
  void step(double rate);
  // With numbers that a device has, [] float32 each; where `skip` is 1, the step changes nothing.
  void queue_step(const at::Tensor& rate, const at::Tensor& skip);

  // "mean.NAME" of every parameter, for each kind of state in the optimizer's row.
  std::map<std::string, at::Tensor> state() const;
  // Throws std::invalid_argument when a tensor is missing or of another shape.
  void load_state(const std::map<std::string, at::Tensor>& state, std::int64_t steps);

 private:
  ParameterGroup& group_with(double decay, double rate);
  void update(const at::Tensor& rate, const std::optional<at::Tensor>& skip);
  std::vector<at::Tensor> gather();  // all gradients, those of each group too

  std::vector<ParameterGroup> groups_;  // by decay and rate
  std::vector<std::string> kinds_;      // of state: "mean", "square"
  OptimizerSettings settings_;
  UpdateParameters* update_;
};

}  // namespace runner
