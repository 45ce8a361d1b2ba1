#include "runner/train/bench/bench_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "runner/base/process/command.h"
#include "runner/base/process/process_facts.h"

namespace runner {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

LaunchCount launch_of(const json& counts, double sequences) {
  const auto all = [&](const char* what) { return counts.at(what).get<double>() * sequences; };
  return {counts.at("kernel"), all("blocks"),     all("tensor"), all("narrow"),   all("special"),
          all("wide"),         all("wavefronts"), all("ideal"),  all("accessed"), all("bytes")};
}

struct Sums {
  double accessed = 0, wavefronts = 0, ideal = 0;
  explicit Sums(const ModelledPass& pass) {
    for (const LaunchCount& launch : pass.launches) {
      accessed += launch.accessed;
      wavefronts += launch.wavefronts;
      ideal += launch.ideal;
    }
  }
};

double least_seconds(const ModelledPass& pass, const GpuModel& gpu) {
  return pass.least_bytes / (gpu.gbps * 1e9);
}

std::string row(const ModelSetting& setting, const ModelledCase& of, bool backward,
                std::size_t width) {
  const ModelledPass& pass = backward ? of.both : of.forward;
  const Bound bound = bound_of(pass.launches, *setting.gpu);
  const double least = least_seconds(pass, *setting.gpu);
  const Sums sums(pass);
  return fmt::format(
      "{:<{}} {:<9} {:<3}{:>10.1f}  {:<14}{:>10.1f}{:>7.0f}%{:>8.2f}x{:>8.2f}x{:>9}\n",
      backward ? "" : of.code, width, backward ? "" : of.machine, backward ? "f+b" : "f",
      1e6 * bound.seconds, bound.by, 1e6 * least, 100 * least / bound.seconds,
      sums.accessed / pass.least_bytes, sums.ideal > 0 ? sums.wavefronts / sums.ideal : 1.0,
      pass.launches.size());
}

ordered_json pass_json(const ModelledPass& pass, const GpuModel& gpu) {
  const Bound bound = bound_of(pass.launches, gpu);
  ordered_json out = {{"no_faster_than", bound.seconds},
                      {"by", bound.by},
                      {"least_bytes", pass.least_bytes},
                      {"of_least_bytes", least_seconds(pass, gpu)}};
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

}  // namespace

ModelledCase modelled(const json& counts, double sequences) {
  ModelledCase of;
  of.machine = counts.at("machine");
  for (const json& launch : counts.at("forward"))
    of.forward.launches.push_back(launch_of(launch, sequences));
  of.both = of.forward;
  for (const json& launch : counts.at("backward"))
    of.both.launches.push_back(launch_of(launch, sequences));
  const double inputs = counts.at("inputs").get<double>() * sequences,
               output = counts.at("output").get<double>() * sequences;
  of.forward.least_bytes = inputs + output;
  of.both.least_bytes = of.forward.least_bytes + 2 * inputs + output;
  return of;
}

ModelledCase modelled(const std::string& code, const BenchShape& shape,
                      const ModelSetting& setting) {
  constexpr std::chrono::minutes kLimit(30);
  const std::int64_t processors = setting.gpu->processors / shape.B;
  std::vector<std::string> words = {
      (program_folder() / "launch_counts").string(), code,
      fmt::format("1,{},{},{}", shape.T, shape.sizes.d, shape.sizes.k), setting.dtype,
      std::to_string(processors)};
  words.insert(words.end(), setting.files.begin(), setting.files.end());
  const CommandResult result = run_command(words, kLimit);
  if (!result.started)
    throw std::runtime_error("bench eos: expected the program " + words[0] +
                             ", which counts launches, got none; it is built with the tests");
  if (!result.ok())
    throw std::runtime_error(
        "bench eos: " + code + ": " +
        (result.timed_out ? "not counted within 30 minutes" : first_line(result.err)));
  ModelledCase of = modelled(json::parse(result.out), static_cast<double>(shape.B));
  of.code = code;
  of.shape = shape;
  return of;
}

std::string model_heading(const ModelSetting& setting) {
  const GpuModel& gpu = *setting.gpu;
  return fmt::format(
      "a model of {}, {}: {} multiprocessors, {} GHz, {} GB/s, {} TFLOP/s in bf16, as published.\n"
      "Launches are counted, nothing is measured: no time can be less, each will be more.\n",
      gpu.help, setting.dtype, gpu.processors, gpu.ghz, gpu.gbps, gpu.tflops_bf16);
}

std::string model_shape_heading(const BenchShape& shape, std::size_t width) {
  return fmt::format(
      "\nB,T,D,K = {},{},{},{}\n{:<{}} {:<9} {:<3}{:>10}  {:<14}{:>10}{:>8}{:>9}{:>9}{:>9}\n",
      shape.B, shape.T, shape.sizes.d, shape.sizes.k, "code", width, "machine", "", "us",
      "bound by", "bytes us", "share", "accessed", "banks", "launches");
}

std::string model_rows(const ModelSetting& setting, const ModelledCase& of, std::size_t width) {
  return row(setting, of, false, width) + row(setting, of, true, width);
}

ordered_json model_json(const ModelSetting& setting, const ModelledCase& of) {
  return {
      {"code", of.code},
      {"machine", of.machine},
      {"shape",
       {{"B", of.shape.B}, {"T", of.shape.T}, {"D", of.shape.sizes.d}, {"K", of.shape.sizes.k}}},
      {"forward", pass_json(of.forward, *setting.gpu)},
      {"forward_backward", pass_json(of.both, *setting.gpu)}};
}

}  // namespace runner
