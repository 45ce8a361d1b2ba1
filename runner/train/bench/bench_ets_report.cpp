#include "runner/train/bench/bench_ets_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace runner {

using nlohmann::ordered_json;

namespace {

double bytes_of(const BenchSetting& setting, const EtsShape& shape) {
  return static_cast<double>(shape.B * shape.T) * static_cast<double>(shape.D) *
         (setting.dtype == "fp64" ? 8 : 4);
}

std::string table_row(const BenchSetting& setting, const EtsResult& r, bool backward) {
  const lcsm::Seconds& seconds = times(r.ours, backward);
  const EtsBound bound = bound_of(setting, r, backward);
  std::string text =
      fmt::format("{:<7} {:<10} {:<3}{:>10.2f}{:>10.2f}{:>8.2f}{:>6.0f}% {:<9}{:>9}  {:<12}{:>6}",
                  backward ? "" : r.row->name, backward ? "" : r.machine, backward ? "f+b" : "f",
                  1e3 * best(seconds), 1e3 * median(seconds),
                  1e9 * best(seconds) / static_cast<double>(r.shape.B * r.shape.T),
                  100 * bound.seconds / best(seconds), bound.by_copies ? "copies" : "products",
                  ratio_text(r.ours, r.theirs, backward), backward ? "" : r.theirs.name,
                  backward ? peak_ratio_text(r.ours.peak, bytes_of(setting, r.shape)) : "");
  text.resize(text.find_last_not_of(' ') + 1);
  return text + "\n";
}

ordered_json bound_json(const BenchSetting& setting, const EtsResult& r, bool backward) {
  const EtsBound bound = bound_of(setting, r, backward);
  return {{"by", bound.by_copies ? "copies" : "products"},
          {"seconds", bound.seconds},
          {"share", bound.seconds / best(times(r.ours, backward))}};
}

}  // namespace

EtsBound bound_of(const BenchSetting& setting, const EtsResult& result, bool backward) {
  const double copies =
      bytes_of(setting, result.shape) * (backward ? 5 : 2) / (1e9 * most_gbps(setting));
  const double products = result.operations[backward] / (1e9 * most_gflops(setting));
  return {std::max(copies, products), copies >= products};
}

std::string ets_shape_heading(const EtsShape& shape) {
  return fmt::format(
      "\nB,T,D = {},{},{}\n{:<7} {:<10} {:<3}{:>10}{:>10}{:>8}{:>7} {:<9}{:>9}  {:<12}{:>6}\n",
      shape.B, shape.T, shape.D, "case", "machine", "", "best ms", "median", "ns/step", "", "of",
      "", "against", "mem");
}

std::string ets_table_rows(const BenchSetting& setting, const EtsResult& result) {
  std::string text = table_row(setting, result, false) + table_row(setting, result, true);
  if (!result.theirs.refusal.empty())
    text += fmt::format("{:<7} - {}: {}\n", "", result.theirs.name, result.theirs.refusal);
  return text;
}

ordered_json ets_result_json(const BenchSetting& setting, const EtsResult& r) {
  ordered_json out = {{"case", r.row->name},
                      {"what", r.row->help},
                      {"machine", r.machine},
                      {"why", r.why},
                      {"shape", {{"B", r.shape.B}, {"T", r.shape.T}, {"D", r.shape.D}}}};
  out["bound"] = {{"forward", bound_json(setting, r, false)},
                  {"forward_backward", bound_json(setting, r, true)}};
  for (const Contestant* c : {&r.ours, &r.theirs})
    out["contestants"].push_back(contestant_json(*c));
  return out;
}

}  // namespace runner
