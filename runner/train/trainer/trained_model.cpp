#include "runner/train/trainer/trained_model.h"

#include <fmt/format.h>

#include <set>
#include <stdexcept>
#include <utility>

#include "results/events/event_file.h"
#include "runner/data/own/own_data.h"
#include "runner/data/tasks/data_search.h"
#include "runner/train/trainer/environment.h"

namespace runner {
namespace {

namespace fs = std::filesystem;
using Warn = std::function<void(const std::string&)>;

Checkpoint chosen(const fs::path& folder, const std::string& which,
                  const results::EventWriter& events, const Warn& warn) {
  const Checkpoints checkpoints(folder, results::newest_segment(folder));
  const auto last = checkpoints.newest(warn, [&](const Checkpoint& at) -> std::string {
    return events.counts(at.lines, at.segment) ? "" : kDiscardedHistory;
  });
  if (!last) throw std::invalid_argument("expected a checkpoint of this run, got none");
  if (which == "last") return *last;
  if (which == "best") return last->state.best ? checkpoints.read(last->state.best->step) : *last;
  const std::set<std::int64_t> steps = checkpoints.steps();
  for (const std::int64_t step : steps)
    if (std::to_string(step) == which) return checkpoints.read(step);
  throw std::invalid_argument(
      fmt::format("expected best, last or one of the steps {} as a checkpoint, got '{}'",
                  fmt::join(steps, ", "), which));
}

void load(const NamedTensors& weights, Trainer* trainer) {
  try {
    trainer->load_weights(weights);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(
        std::string("the model does not fit these examples: ") + error.what() +
        ": keep the vocabulary, and the length where positions are learned");
  }
}

}  // namespace

TrainedModel::TrainedModel(const fs::path& folder, RunConfig config, const fs::path& workspace,
                           const std::string& which, const Warn& warn, bool own_data)
    : events_(folder), config_(std::move(config)) {
  pin_data(config_, workspace);
  const std::string why = own_data ? why_other_data(config_, workspace, folder) : "";
  if (!why.empty()) throw DataMissing(why);
  const Checkpoint checkpoint = chosen(folder, which, events_, warn);
  step_ = checkpoint.state.step;
  data_ = open_task(config_, workspace);
  trainer_ = std::make_unique<Trainer>(config_, *data_);
  load(checkpoint.model, trainer_.get());
}

}  // namespace runner
