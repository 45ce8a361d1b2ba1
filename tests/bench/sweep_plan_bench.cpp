// The cost of planning 10 000 points with an empty workspace: read, expand, resolve.
#include <benchmark/benchmark.h>

#include "runner/sweeps/plan/sweep_plan.h"
#include "tests/runner/sweeps/language/sweep_texts.h"

namespace {

constexpr const char* kText = R"([base]
task.name = "mqar"
model = { d = 64, k = 64 }
optim = { batch = 64, epochs = 4 }
[grid]
model.code = "1-{0,1,2,3,4,5,6,7,8,9}-1-0"
optim.lr = { log = [1e-4, 1e-2], n = 10 }
model.layers = { linear = [1, 10], n = 10 }
seed = { linear = [1, 10], n = 10 }
)";

void PlanTenThousandPoints(benchmark::State& state) {
  for (auto _ : state) {
    const runner::SweepFile sweep = runner::sweep_of(kText);
    benchmark::DoNotOptimize(runner::plan_sweep(sweep, {}, {}, {2, 2}).eta_seconds);
  }
}
BENCHMARK(PlanTenThousandPoints)->Unit(benchmark::kMillisecond);

}  // namespace
