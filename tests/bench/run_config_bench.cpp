// The cost of a sweep's point before anything runs: resolving its configuration and its run id.
#include <benchmark/benchmark.h>

#include <memory>

#include "runner/base/files/sha256.h"
#include "runner/config/keys/run_keys.h"
#include "runner/config/run/run_id.h"

namespace {

using runner::operator""_key;

void ignore(const std::string&) {}

void ResolvePoint(benchmark::State& state) {
  runner::Mistakes mistakes;
  runner::ConfigTree tree;
  runner::read_tree("task.name = 'mqar'\nmodel.code = '1-9-1-4@tau=8'\nmodel.d = 128\n", "my.toml",
                    tree, mistakes);
  const auto catalogue = runner::catalogue_with(tree, mistakes, ignore);
  tree.assignments.push_back({runner::index_of("seed"_key), {0, 1, 1}, {}});
  for (std::int64_t seed = 0; auto _ : state) {
    tree.assignments.back().value = ++seed;
    benchmark::DoNotOptimize(runner::run_id(*resolve(tree.assignments, catalogue, mistakes)));
  }
}
BENCHMARK(ResolvePoint)->Unit(benchmark::kMicrosecond);

void ReadFile(benchmark::State& state) {
  for (auto _ : state)
    benchmark::DoNotOptimize(
        runner::parse_config("task.name = 'mqar'\nmodel.code = '1-9-1-4@tau=8'\nmodel.d = 128\n",
                             "my.toml", {}, ignore));
}
BENCHMARK(ReadFile)->Unit(benchmark::kMicrosecond);

void Sha256(benchmark::State& state) {
  const std::string text(64 << 20, 'x');
  for (auto _ : state) benchmark::DoNotOptimize(runner::sha256_hex(text));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}
BENCHMARK(Sha256)->Unit(benchmark::kMillisecond);

}  // namespace
