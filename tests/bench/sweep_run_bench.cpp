// The scheduler's overhead per run, and the cost of `lcsm run` for a finished sweep.
#include <benchmark/benchmark.h>
#include <poll.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "runner/base/process/process_facts.h"
#include "runner/sweeps/plan/sweep_plan.h"
#include "runner/sweeps/schedule/conductor.h"
#include "tests/runner/run_program.h"
#include "tests/runner/sweeps/language/sweep_texts.h"
#include "tests/runner/sweeps/plan/planned_runs.h"

namespace {

constexpr int kTrivialRuns = 200;
constexpr const char* kTrivial = "/bin/true";

void ProcessStart(benchmark::State& state) {
  const runner::ScratchFolder folder;
  for (auto _ : state) {
    runner::ChildProcess child({kTrivial}, folder.path() / "log");
    pollfd wait{child.handle(), POLLIN, 0};
    poll(&wait, 1, -1);
    benchmark::DoNotOptimize(child.ended());
  }
}
BENCHMARK(ProcessStart)->Unit(benchmark::kMillisecond)->UseRealTime();

// Sequential; `per_run` is the time per run in seconds.
void TrivialRuns(benchmark::State& state) {
  std::vector<runner::RunToDo> runs;
  for (int i = 0; i < kTrivialRuns; ++i) {
    std::string id = std::to_string(i);
    id.insert(0, 32 - id.size(), '0');
    runner::RunToDo& run = runs.emplace_back();
    run.job = {id, 1, 0};
    run.name = id;
    run.config = "seed = 1\n";
  }
  const auto silent = [](auto&&...) {};
  for (auto _ : state) {
    const runner::ScratchFolder workspace;
    runner::SweepRunSettings settings;
    settings.training.workspace = workspace.path();
    settings.training.trainer = kTrivial;
    settings.mark = {"bench", "", ""};
    const auto result = runner::run_sweep(runs, settings, {silent, silent, silent, silent});
    const auto done =
        std::count(result.states.begin(), result.states.end(), results::RunState::kDone);
    if (done != kTrivialRuns) state.SkipWithError("a run failed");
  }
  state.counters["per_run"] = benchmark::Counter(
      kTrivialRuns, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
BENCHMARK(TrivialRuns)->Unit(benchmark::kMillisecond)->UseRealTime();

constexpr const char* kTenThousand = R"(base.task.name = "mqar"
base.model.code = "1-1-1-0"
grid.seed = { linear = [1, 100], n = 100 }
grid.task.seed = { linear = [1, 100], n = 100 }
)";

// Times `lcsm run` as a process. The folders are created once; a first run folds and marks them.
void RunOfAFinishedSweep(benchmark::State& state) {
  const runner::ScratchFolder folder;
  const auto workspace = folder.path() / "workspace", file = folder.path() / "mine.toml";
  std::ofstream(file) << kTenThousand;
  runner::expand(runner::sweep_of(kTenThousand), {},
                 [&](const runner::Point&, const runner::RunConfig& config) {
                   runner::write_measured(workspace, config, {});
                 });
  const std::string command = (runner::program_folder() / "lcsm").string() + " run " +
                              file.string() + " --workspace " + workspace.string() + " > " +
                              (folder.path() / "out").string();
  if (std::system(command.c_str()) != 0) state.SkipWithError("lcsm run failed");
  for (auto _ : state)
    if (std::system(command.c_str()) != 0) state.SkipWithError("lcsm run failed");
}
BENCHMARK(RunOfAFinishedSweep)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
