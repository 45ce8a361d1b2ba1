#include "tests/bench/gpu_model.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

namespace runner {
namespace {

constexpr double kWarp = 32;

}  // namespace

const GpuModel& gpu_model(const std::string& name) {
  if (const GpuModel* const row = lcsm::row_named(kGpuModels, name)) return *row;
  throw std::invalid_argument("expected one of " + std::string(lcsm::row_names<kGpuModels>) +
                              ", got '" + name + "'");
}

Bound bound_of(const LaunchCount& launch, const GpuModel& gpu) {
  const double share = std::ceil(launch.blocks / gpu.processors) / std::max(launch.blocks, 1.0),
               clock = share / (gpu.ghz * 1e9), tensor = gpu.tflops_bf16 * 1e12 / gpu.processors;
  const std::pair<const char*, double> all[] = {
      {"memory", launch.bytes / (gpu.gbps * 1e9)},
      {"tensor cores", launch.tensor * share / tensor},
      {"float32", launch.narrow * kWarp / gpu.narrow * clock},
      {"functions", launch.special * kWarp / gpu.special * clock},
      {"float64", launch.wide * kWarp / gpu.wide * clock},
      {"shared memory", launch.wavefronts * clock},
  };
  const auto most = std::max_element(std::begin(all), std::end(all),
                                     [](auto& a, auto& b) { return a.second < b.second; });
  return {most->second, most->first};
}

Bound bound_of(const std::vector<LaunchCount>& launches, const GpuModel& gpu) {
  std::map<std::string, double> parts;
  Bound all;
  for (const LaunchCount& launch : launches) {
    const Bound one = bound_of(launch, gpu);
    all.seconds += one.seconds;
    double& part = parts[one.by];
    part += one.seconds;
    if (all.by.empty() || part > parts[all.by]) all.by = one.by;
  }
  return all;
}

}  // namespace runner
