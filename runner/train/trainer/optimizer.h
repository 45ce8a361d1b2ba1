// Collects and clips gradients and updates parameters, for the optimizers of keys/optimizer_rows.h.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "lcsm/cuda/driver/gpu.h"
#include "runner/config/run/run_config.h"
#include "runner/models/skeletons/model.h"

namespace runner {

// Parameters with equal decay and rate, and their optimizer state.
struct ParameterGroup {
  double decay = 0;
  double rate = 1;  // times the optimizer's
  std::vector<std::string> names = {};
  std::vector<at::Tensor> values = {}, gradients = {};
  std::vector<std::vector<at::Tensor>> state = {};  // by kind, in the order of the row
  std::vector<at::Tensor> steps = {};  // [] each, float32, as the fused kernels require
};

struct OptimizerSettings {
  double beta1, beta2, eps;
  bool decoupled;  // AdamW; else decay is added to gradients
};

// A step whose numbers are on the device.
struct DeviceStep {
  at::Tensor loss_norm;  // [2] float64: the loss; receives the norm of all gradients
  at::Tensor rate;       // [] float64
  double clip;           // as in Optimizer::collect_gradients
  double most_loss;  // the step changes nothing if the loss exceeds this or a number is not finite
};

using UpdateParameters = void(const ParameterGroup& group, const OptimizerSettings& settings,
                              const at::Tensor& rate);
class FlatAdam;

class Optimizer {
 public:
  // Updates the trained parameters in place; on a GPU they become parts of one buffer.
  Optimizer(const RunConfig& config, const std::vector<ModelParameter>& parameters,
            std::shared_ptr<lcsm::Gpu> gpu = nullptr);
  ~Optimizer();

  // A step: clear, backward (once or more often), collect, step; with a GPU: clear, backward,
  // queue.
  void clear_gradients();
  // Returns the norm of all gradients. If it exceeds a `clip` above 0, scales them to that norm.
  double collect_gradients(double clip);
  void step(double rate);
  // Queues the step without waiting for the device.
  void queue(const DeviceStep& step);

  // "mean.NAME" of every parameter, for each kind of state in the optimizer's row.
  std::map<std::string, at::Tensor> state() const;
  // Throws std::invalid_argument when a tensor is missing or of another shape.
  void load_state(const std::map<std::string, at::Tensor>& state, std::int64_t steps);

 private:
  ParameterGroup& group_with(double decay, double rate);
  std::vector<at::Tensor> gather();  // all gradients; also sets each group's

  std::vector<ParameterGroup> groups_;  // by decay and rate
  std::vector<std::string> kinds_;      // of state: "mean", "square"
  OptimizerSettings settings_;
  UpdateParameters* update_;
  std::unique_ptr<FlatAdam> flat_;  // with a GPU
};

}  // namespace runner
