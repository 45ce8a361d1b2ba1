#include "runner/train/trainer/start_weights.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <vector>

#include "lcsm/base/words.h"
#include "results/events/event_file.h"
#include "results/events/run_folder.h"
#include "runner/base/process/run_end.h"
#include "runner/config/keys/model_keys.h"
#include "runner/data/own/start_run.h"
#include "runner/train/trainer/checkpoint.h"

namespace runner {
namespace {

struct TakenWeights {
  std::size_t whole = 0;
  std::vector<std::string> rows, fresh;  // names
};

bool is_by_rows(const std::string& name) {
  return name == "embedding.weight" || name == "positions.weight";
}

TakenWeights take_weights(const NamedTensors& from, NamedTensors* into) {
  TakenWeights taken;
  for (auto& [name, tensor] : *into) {
    const auto found = from.find(name);
    if (found != from.end() && found->second.sizes() == tensor.sizes()) {
      tensor = found->second;
      ++taken.whole;
    } else if (found != from.end() && is_by_rows(name) && found->second.size(1) == tensor.size(1)) {
      const std::int64_t rows = std::min(found->second.size(0), tensor.size(0));
      tensor = tensor.clone();
      tensor.narrow(0, 0, rows).copy_(found->second.narrow(0, 0, rows));
      taken.rows.push_back("the first " + std::to_string(rows) + " rows of " + name);
    } else {
      taken.fresh.push_back(name);
    }
  }
  return taken;
}

}  // namespace

std::string start_from_run(const RunConfig& config, const std::filesystem::path& workspace,
                           Trainer* trainer) {
  const at::NoGradGuard raw;
  const std::string& id = config.text("model.from"_key);
  StartRuns starts(workspace);
  const std::optional<StartRun> run = starts.find(config);
  if (!run)
    throw RunFailure(results::RunState::kDataMissing,
                     "model.from: expected run " + id +
                         ", whose weights this run starts from, got none: it was removed");
  const std::filesystem::path folder = results::run_folder(workspace, run->id);
  const Checkpoint best = Checkpoints(folder, results::newest_segment(folder)).read(run->step);
  NamedTensors weights = trainer->weights();
  const TakenWeights taken = take_weights(best.model, &weights);
  if (taken.whole == 0)
    throw RunFailure(
        results::RunState::kConfiguration,
        "model.from: run " + id + " has no tensor of the same name and shape as this model's");
  trainer->load_weights(weights);
  std::string text = "starts from step " + std::to_string(run->step) + " of run " + run->id + ": " +
                     std::to_string(taken.whole) + " of " + std::to_string(weights.size()) +
                     " tensors";
  if (!taken.rows.empty()) text += ", " + lcsm::joined(taken.rows);
  return text + (taken.fresh.empty() ? "" : "; new: " + lcsm::joined(taken.fresh));
}

}  // namespace runner
