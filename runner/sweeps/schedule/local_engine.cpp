#include <fmt/format.h>

#include <algorithm>

#include "results/text/escape.h"
#include "runner/base/host/libtorch.h"
#include "runner/sweeps/schedule/engine.h"

namespace runner {
namespace {

class LocalEngine : public Engine {
 public:
  explicit LocalEngine(const EngineSettings& settings) : settings_(settings) {}

  int slots() const override { return settings_.budget.jobs; }

  std::string plan(const Work& work) const override {
    std::string text;
    for (const RunToDo& run : work.runs)
      if (run.job.queued && !run.job.cancelled)
        text += fmt::format("{}  {}\n", run.job.id.substr(0, 8), results::safe_text(run.name));
    return text;
  }

  void start(const Work& work) override {
    run_ = {.mark = work.mark,
            .jobs = work.slots,
            .policy = settings_.policy,
            .training = {.workspace = work.workspace,
                         .trainer = trainer_program(settings_.trainer, kBuildTrainer),
                         .threads = std::max(1, work.allowed.cores() / work.slots),
                         .gpus = work.gpus,
                         .limits = limits_of(settings_.budget)}};
    find_libtorch(run_.training.trainer);
    run_.policy.memory_bytes = 0.9 * static_cast<double>(work.allowed.memory_free);
  }

  SweepRunResult watch(const Work& work, const SweepRunWatcher& watcher) override {
    return run_sweep(work.runs, run_, watcher);
  }

 private:
  EngineSettings settings_;
  SweepRunSettings run_;
};

}  // namespace

std::unique_ptr<Engine> make_local_engine(const EngineSettings& settings) {
  return std::make_unique<LocalEngine>(settings);
}

}  // namespace runner
