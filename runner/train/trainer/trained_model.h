// Loads the model of a run from one of its checkpoints, for verbs that use it after training.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "results/events/event_writer.h"
#include "runner/train/trainer/trainer.h"

namespace runner {

class TrainedModel {
 public:
  // `config`: the run's, or one with other examples. `which`: "best", "last" or a step. `own_data`:
  // the data must be what the run was trained on. Throws DataMissing if it is not,
  // std::invalid_argument if the checkpoint does not exist, the data is not the configured data or
  // the model does not fit the examples, and results::BeingWritten while a process trains the run.
  // No process can train the run during this object's lifetime.
  TrainedModel(const std::filesystem::path& folder, RunConfig config,
               const std::filesystem::path& workspace, const std::string& which,
               const std::function<void(const std::string&)>& warn, bool own_data = true);

  const RunConfig& config() const { return config_; }
  TaskData& data() { return *data_; }
  Trainer& trainer() { return *trainer_; }
  const Model& model() const { return trainer_->model(); }
  std::int64_t step() const { return step_; }

 private:
  results::EventWriter events_;
  RunConfig config_;
  std::unique_ptr<TaskData> data_;
  std::unique_ptr<Trainer> trainer_;
  std::int64_t step_ = 0;
};

}  // namespace runner
