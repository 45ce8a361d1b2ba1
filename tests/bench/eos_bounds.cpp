// eos_bounds GPU B,T,D,K TYPE CODE...: prints as JSON the least times of recurrences on a GPU, from
// counted launches and published rates. Nothing is measured: no time can be less, each is more.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "runner/config/run/code_argument.h"
#include "runner/train/bench/bench_eos.h"
#include "runner/train/bench/bench_setting.h"
#include "tests/bench/launch_counts.h"

namespace runner {
namespace {

using nlohmann::ordered_json;

ordered_json pass_json(const CountedPass& pass, const GpuModel& gpu) {
  const Bound bound = bound_of(pass.launches, gpu);
  ordered_json out = {{"no_faster_than", bound.seconds},
                      {"by", bound.by},
                      {"least_bytes", pass.least_bytes},
                      {"of_least_bytes", pass.least_bytes / (gpu.gbps * 1e9)}};
  for (const LaunchCount& each : pass.launches) {
    const Bound one = bound_of(each, gpu);
    out["launches"].push_back({{"kernel", each.kernel},
                               {"blocks", each.blocks},
                               {"tensor_flop", each.tensor},
                               {"float32", each.narrow},
                               {"functions", each.special},
                               {"float64", each.wide},
                               {"wavefronts", each.wavefronts},
                               {"ideal_wavefronts", each.ideal},
                               {"accessed_bytes", each.accessed},
                               {"bytes", each.bytes},
                               {"no_faster_than", one.seconds},
                               {"by", one.by}});
  }
  return out;
}

void print_bounds(const std::vector<std::string>& words) {
  if (words.size() < 4)
    throw std::invalid_argument(
        fmt::format("expected GPU B,T,D,K TYPE CODE..., got {} words", words.size()));
  const GpuModel& gpu = gpu_model(words[0]);
  const BenchShape shape = parse_shape(words[1]);
  const CodeSelection selection = read_codes({words.begin() + 3, words.end()}, {});
  ordered_json json = {{"model", gpu.help}, {"dtype", words[2]}, {"shape", words[1]}};
  json["results"] = ordered_json::array();
  const auto processors = static_cast<int>(std::max<std::int64_t>(1, gpu.processors / shape.B));
  for (const lcsm::Code& code : selection.codes) {
    const lcsm::Variant variant = lcsm::make_variant(code, selection.catalogue, shape.sizes);
    const CountedCase of =
        counted_case(variant, {1, shape.T, variant.sizes}, type_of(words[2]), processors, shape.B);
    json["results"].push_back({{"code", lcsm::to_string(code, selection.catalogue)},
                               {"machine", of.machine},
                               {"forward", pass_json(of.forward, gpu)},
                               {"forward_backward", pass_json(of.both, gpu)}});
  }
  fmt::print("{}\n", json.dump(2));
}

}  // namespace
}  // namespace runner

int main(int argc, char** argv) {
  try {
    runner::print_bounds({argv + 1, argv + argc});
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "eos_bounds: {}\n", error.what());
    return 2;
  }
}
