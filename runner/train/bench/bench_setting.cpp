#include "runner/train/bench/bench_setting.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <numeric>
#include <stdexcept>

#include "lcsm/base/revision.h"
#include "lcsm/cuda/device/device.h"
#include "runner/base/process/exit_code.h"
#include "runner/base/text/counts.h"
#include "runner/train/trainer/threads.h"

namespace runner {

using nlohmann::ordered_json;

void BenchOptions::describe(Verb& verb, const std::vector<Candidate>& dtypes,
                            const std::string& budget_help) {
  verb.option("--threads", &threads, "Number of threads").range(1, 1024).default_shown();
  if (!dtypes.empty())
    verb.option("--dtype", &dtype, "Type of inputs and outputs").choices(dtypes).default_shown();
  verb.option("--device", &device, "The device; cuda is the first GPU")
      .choices({{"cpu"}, {"cuda"}})
      .default_shown();
  verb.option("--budget", &budget, budget_help).range(0.0, 3600.0).default_shown();
}

ComputeDevice bench_device(const std::string& device) {
  if (device != "cuda") return {};
  try {
    lcsm::open_cuda();
  } catch (const std::runtime_error& error) {
    throw Failure(ExitCode::kMissing, error.what());
  }
  return first_gpu(std::filesystem::temp_directory_path() / "lcsm-kernels");
}

BenchSetting bench_setting(const BenchOptions& options) {
  if (options.device != "cpu" && options.dtype == "fp64")
    throw std::invalid_argument("bench: expected --dtype fp32 or bf16 with --device " +
                                options.device + ", got fp64: it has no kernels");
  use_threads(options.threads);
  const ComputeDevice device = bench_device(options.device);
  // Small products and copies do not fill a GPU, for any budget.
  const lcsm::CeilingOptions how{.quick = options.budget < 0.5 && !device.gpu,
                                 .threads = options.threads,
                                 .one_thread = false,
                                 .seconds = 0.1};
  return {options.dtype, options.threads, options.budget,
          device.gpu ? lcsm::cuda_ceilings(lcsm::open_cuda(), how) : lcsm::cpu_ceilings(how),
          device};
}

std::vector<std::int64_t> parse_sizes(const std::string& text, const std::string& names,
                                      const std::string& example) {
  constexpr std::int64_t kMost = 1 << 24;
  const auto count = static_cast<std::size_t>(std::count(names.begin(), names.end(), ',') + 1);
  std::vector<std::int64_t> sizes;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (true) {
    std::int64_t size = 0;
    const auto [stop, error] = std::from_chars(at, end, size);
    if (error != std::errc() || size < 1 || size > kMost) break;
    sizes.push_back(size);
    at = stop;
    if (sizes.size() == count || at == end || *at != ',') break;
    ++at;
  }
  if (sizes.size() == count && at == end) return sizes;
  throw std::invalid_argument(
      fmt::format("--shape: expected {}, integers from 1 to {} such as {}, got '{}'", names, kMost,
                  example, text));
}

at::ScalarType type_of(const std::string& dtype) {
  return dtype == "fp64" ? at::kDouble : dtype == "bf16" ? at::kBFloat16 : at::kFloat;
}

double most_gflops(const BenchSetting& setting) {
  // On a CPU, sums of bfloat16 inputs are in float32.
  const std::string dtype = setting.dtype == "bf16" && !setting.device.gpu ? "fp32" : setting.dtype;
  double most = 0;
  for (const lcsm::Rate& rate : setting.ceilings)
    if (rate.what == "matmul" && rate.dtype == dtype) most = std::max(most, rate.best);
  return most;
}

double most_gbps(const BenchSetting& setting) {
  double most = 0;
  for (const lcsm::Rate& rate : setting.ceilings)
    if (rate.what.starts_with("copy")) most = std::max(most, rate.best);
  return most;
}

double best(const lcsm::Seconds& times) { return *std::min_element(times.begin(), times.end()); }

std::size_t median_at(const lcsm::Seconds& times) {
  std::vector<std::size_t> order(times.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return times[a] < times[b]; });
  return order[order.size() / 2];
}

double median(const lcsm::Seconds& times) { return times[median_at(times)]; }

ordered_json times_json(const lcsm::Seconds& times) {
  return {{"best", best(times)}, {"median", median(times)}, {"repeats", times.size()}};
}

const lcsm::Seconds& times(const Contestant& contestant, bool backward) {
  return backward ? contestant.both : contestant.forward;
}

std::string ratio_text(const Contestant& ours, const Contestant& theirs, bool backward) {
  if (!theirs.refusal.empty()) return "-";
  const double ratio = best(times(theirs, backward)) / best(times(ours, backward));
  return fmt::format("{:.{}f}x", ratio, ratio < 9.995 ? 2 : 1);
}

std::string peak_ratio_text(std::int64_t peak, double bytes) {
  return peak == 0 ? "" : fmt::format("{:.1f}x", static_cast<double>(peak) / bytes);
}
ordered_json peak_json(std::int64_t peak) {
  return peak == 0 ? ordered_json() : ordered_json(peak);
}

std::string heading(const BenchSetting& setting) {
  if (setting.device.gpu)
    return fmt::format("{}, {}; peak {:.0f} GFLOP/s (products), {:.1f} GB/s (copies)\n",
                       setting.device.name, setting.dtype, most_gflops(setting),
                       most_gbps(setting));
  return fmt::format("{}, {}, {}; peak {:.0f} GFLOP/s (products), {:.1f} GB/s (copies)\n",
                     lcsm::cpu_model(), setting.dtype, counted(setting.threads, "thread"),
                     most_gflops(setting), most_gbps(setting));
}

ordered_json setting_json(const BenchSetting& setting, const std::string& schema) {
  ordered_json out = {{"schema", schema},
                      {"version", lcsm::kRevision.version},
                      {"commit", lcsm::kRevision.commit},
                      {"dirty", lcsm::kRevision.dirty},
                      {"cpu", lcsm::cpu_model()},
                      {"device", setting.device.name},
                      {"dtype", setting.dtype},
                      {"threads", setting.threads},
                      {"budget", setting.budget}};
  out["ceilings"] = {{"gflops", most_gflops(setting)}, {"gbps", most_gbps(setting)}};
  return out;
}

ordered_json contestant_json(const Contestant& c) {
  if (!c.refusal.empty()) return {{"name", c.name}, {"refused", c.refusal}};
  ordered_json out = {{"name", c.name},
                      {"forward", times_json(c.forward)},
                      {"forward_backward", times_json(c.both)},
                      {"peak_bytes", peak_json(c.peak)},
                      {"difference", c.difference}};
  if (c.both_cold.empty()) return out;
  out["forward_cold"] = times_json(c.forward_cold);
  out["forward_backward_cold"] = times_json(c.both_cold);
  return out;
}

}  // namespace runner
