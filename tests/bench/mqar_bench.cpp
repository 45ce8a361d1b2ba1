// Times the generation of the papers' training sets: 100 000 examples on one core.
#include <benchmark/benchmark.h>

#include "runner/data/tasks/mqar.h"

namespace {

void MqarTrainingSet(benchmark::State& state) {
  const runner::MqarOptions options{.length = state.range(0), .pairs = state.range(1)};
  constexpr std::size_t kExamples = 100000;
  const auto T = static_cast<std::size_t>(options.length),
             D = static_cast<std::size_t>(options.pairs);
  std::vector<std::int32_t> tokens(kExamples * T), queries(kExamples * D), answers(kExamples * D);
  for (auto _ : state) {
    runner::Mqar maker(options, 1);
    for (std::size_t i = 0; i < kExamples; ++i)
      maker.make(
          runner::Split::kTrain, i,
          {{tokens.data() + i * T, T}, {queries.data() + i * D, D}, {answers.data() + i * D, D}});
    benchmark::DoNotOptimize(tokens.data());
  }
  state.counters["examples/s"] = benchmark::Counter(static_cast<double>(kExamples),
                                                    benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(MqarTrainingSet)
    ->Args({64, 4})
    ->Args({128, 8})
    ->Args({256, 16})
    ->Args({512, 64})
    ->Unit(benchmark::kMillisecond);

}  // namespace
