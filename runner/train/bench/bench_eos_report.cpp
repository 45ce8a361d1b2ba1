#include "runner/train/bench/bench_eos_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "lcsm/code/plan.h"

namespace runner {

using nlohmann::ordered_json;

namespace {

int element_bytes(const std::string& dtype) {
  return dtype == "fp64" ? 8 : dtype == "bf16" ? 2 : 4;
}

std::string table_row(const BenchSetting& setting, const BenchResult& result,
                      const lcsm::Variant& variant, std::size_t code_width, bool backward) {
  const Contestant& ours = result.contestants[0];
  const lcsm::Seconds& seconds = times(ours, backward);
  const BenchRates rates = rates_of(setting, result, variant, backward);
  const std::string memory =
      backward ? peak_ratio_text(ours.peak, static_cast<double>(result.bytes)) : "";
  std::string text = fmt::format(
      "{:<{}} {:<9} {:<3}{:>9.2f}{:>9.2f}{:>8.1f}{:>4.0f}%{:>7.1f}{:>4.0f}%"
      "{:>8}{:>6}",
      backward ? "" : result.code, code_width,
      backward ? "" : lcsm::to_string(lcsm::plan_of(variant).machine), backward ? "f+b" : "f",
      1e3 * best(seconds), 1e3 * median(seconds), rates.gflops, 100 * rates.gflops_share,
      rates.gbps, 100 * rates.gbps_share,
      result.contestants.size() > 1 ? ratio_text(ours, result.contestants[1], backward) : "",
      memory);
  text.resize(text.find_last_not_of(' ') + 1);
  return text + "\n";
}

ordered_json rates_json(const BenchRates& rates) {
  return {{"gflops", rates.gflops},
          {"gflops_share", rates.gflops_share},
          {"gbps", rates.gbps},
          {"gbps_share", rates.gbps_share}};
}

}  // namespace

BenchRates rates_of(const BenchSetting& setting, const BenchResult& result,
                    const lcsm::Variant& variant, bool backward) {
  const BenchShape& shape = result.shape;
  const double seconds = best(times(result.contestants[0], backward));
  const double tokens = static_cast<double>(shape.B) * static_cast<double>(shape.T);
  const double cells = static_cast<double>(shape.sizes.k) * shape.sizes.d;
  const double bytes = static_cast<double>(lcsm::cost_of(variant).recurrence_bytes) / 4 *
                       element_bytes(setting.dtype);
  BenchRates rates;
  rates.gflops = tokens * cells * (backward ? 16 : 4) / seconds / 1e9;
  rates.gbps = tokens * bytes * (backward ? 2 : 1) / seconds / 1e9;
  rates.gflops_share = rates.gflops / most_gflops(setting);
  rates.gbps_share = rates.gbps / most_gbps(setting);
  return rates;
}

std::string shape_heading(const BenchShape& shape, std::size_t code_width) {
  return fmt::format(
      "\nB,T,D,K = {},{},{},{}\n{:<{}} {:<9} "
      "{:<3}{:>9}{:>9}{:>8}{:>5}{:>7}{:>5}{:>8}{:>6}\n",
      shape.B, shape.T, shape.sizes.d, shape.sizes.k, "code", code_width, "machine", "", "best ms",
      "median", "GFLOP/s", "", "GB/s", "", "loop", "mem");
}

std::string table_rows(const BenchSetting& setting, const BenchResult& result,
                       const lcsm::Variant& variant, std::size_t code_width) {
  std::string text = table_row(setting, result, variant, code_width, false) +
                     table_row(setting, result, variant, code_width, true);
  for (const Contestant& c : result.contestants)
    if (!c.refusal.empty())
      text += fmt::format("{:<{}} - {}: {}\n", "", code_width, c.name, c.refusal);
  return text;
}

ordered_json result_json(const BenchSetting& setting, const BenchResult& result,
                         const lcsm::Variant& variant) {
  ordered_json out = {{"code", result.code},
                      {"plan", lcsm::summary(lcsm::plan_of(variant))},
                      {"shape",
                       {{"B", result.shape.B},
                        {"T", result.shape.T},
                        {"D", result.shape.sizes.d},
                        {"K", result.shape.sizes.k}}},
                      {"input_output_bytes", result.bytes}};
  out["forward"] = rates_json(rates_of(setting, result, variant, false));
  out["forward_backward"] = rates_json(rates_of(setting, result, variant, true));
  for (const Contestant& c : result.contestants) out["contestants"].push_back(contestant_json(c));
  return out;
}

}  // namespace runner
