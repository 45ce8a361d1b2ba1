// Times the encoding of text on one core. LCSM_SHARED names the folder that contains data/.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

#include "runner/data/tokens/gpt2_bpe.h"

namespace {

std::string read(const std::string& name) {
  const char* folder = std::getenv("LCSM_SHARED");
  std::ifstream file(std::string(folder ? folder : "../shared") + "/data/" + name,
                     std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// A new encoder for each pass, so that no word is cached.
void Gpt2Encode(benchmark::State& state, const std::string& name) {
  const std::string merges = read("gpt2-bpe/vocab.bpe"), dictionary = read("gpt2-bpe/dict.txt"),
                    text = read(name);
  if (merges.empty() || text.empty()) return state.SkipWithError("data not found: set LCSM_SHARED");
  std::vector<std::uint32_t> tokens;
  for (auto _ : state) {
    state.PauseTiming();
    runner::Gpt2Bpe bpe(merges, dictionary, runner::TokenOrder::kFairseq);
    tokens.clear();
    state.ResumeTiming();
    bpe.encode(text, tokens);
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}
BENCHMARK_CAPTURE(Gpt2Encode, wikitext, "wikitext-103/wiki.valid.tokens")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Gpt2Encode, shakespeare, "tinyshakespeare/input.txt")
    ->Unit(benchmark::kMillisecond);

void Gpt2ReadFiles(benchmark::State& state) {
  const std::string merges = read("gpt2-bpe/vocab.bpe"), dictionary = read("gpt2-bpe/dict.txt");
  if (merges.empty()) return state.SkipWithError("data not found: set LCSM_SHARED");
  for (auto _ : state) runner::Gpt2Bpe(merges, dictionary, runner::TokenOrder::kFairseq);
}
BENCHMARK(Gpt2ReadFiles)->Unit(benchmark::kMillisecond);

}  // namespace
