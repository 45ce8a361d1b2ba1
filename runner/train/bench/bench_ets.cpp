// `lcsm-train bench ets`: times time-invariant filters and their authors' formulations.
#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "runner/base/files/json_file.h"
#include "runner/train/bench/bench.h"
#include "runner/train/bench/bench_ets_report.h"

namespace runner {
namespace {

struct BenchEtsOptions : BenchOptions {
  std::vector<std::string> cases, shapes = {"16,4096,512"};
  std::string machine = "cpu";
  bool alone = false;
};

constexpr const char* kBenchEtsFooter =
    R"text(Times filters forward, and forward + backward, from the tensors of their kernels
to y, against their authors' implementations, in tensor operations under
autograd:
  fft          the kernel over the whole length, transforms of twice the length
  vandermonde  the same, with the kernel by a Vandermonde product of complex64
Outputs and gradients are first compared with ours; then both are timed in turn.
  f, f+b     forward; forward + backward
  ns/step    for all channels of one step of one sequence
  % of       the peak of copies or of products on this host, whichever is the bound:
             x and y once in f, also x, d_y and d_x in f+b; the operations of the
             recurrence, or of transforms for a free kernel
  12.3x      their time relative to ours, best against best
  mem        peak memory of f+b beyond the inputs, relative to x
With --device cuda, all run as graphs, replayed with warm caches; JSON also has
the times with cold caches.
Exit code 1: their implementation computes a different result.
Examples:
  lcsm-train bench ets --cases ces s4d --shape 16,4096,512
  lcsm-train bench ets --cases s4d --machine fft --alone --json)text";

std::vector<const EtsCaseRow*> chosen_cases(const std::vector<std::string>& names) {
  std::vector<const EtsCaseRow*> chosen;
  for (const std::string& name : names) chosen.push_back(&ets_case_named(name));
  if (names.empty())
    for (const EtsCaseRow& row : ets_case_rows()) chosen.push_back(&row);
  return chosen;
}

void bench_ets(const BenchEtsOptions& options) {
  std::vector<EtsShape> shapes;
  for (const std::string& text : options.shapes) {
    const std::vector<std::int64_t> sizes = parse_sizes(text, "B,T,D", "16,4096,512");
    shapes.push_back({sizes[0], sizes[1], sizes[2]});
  }
  const std::vector<const EtsCaseRow*> cases = chosen_cases(options.cases);
  const ets::FilterMachine machine = ets::machine_named(options.machine)->machine;
  const BenchSetting setting = bench_setting(options);
  nlohmann::ordered_json json = setting_json(setting, "lcsm-train.bench-ets/1");
  json["results"] = nlohmann::json::array();
  if (!options.json) fmt::print("{}", heading(setting));
  for (const EtsShape& shape : shapes) {
    if (!options.json) fmt::print("{}", ets_shape_heading(shape));
    for (const EtsCaseRow* row : cases) {
      const EtsResult result = bench_ets_case(*row, shape, type_of(options.dtype), machine,
                                              options.budget, !options.alone, setting.device);
      if (options.json)
        json["results"].push_back(ets_result_json(setting, result));
      else
        fmt::print("{}", ets_table_rows(setting, result));
      std::fflush(stdout);
    }
  }
  if (options.json) fmt::print("{}", printed_json(json));
}

}  // namespace

void add_bench_ets(Verb& bench) {
  Verb& verb = bench.verb("ets", "Time smoothing, state spaces and long convolutions");
  BenchEtsOptions& options = verb.runs(bench_ets);
  verb.option("--cases", &options.cases, "The filters (default: all)")
      .choices(choices_of(ets_case_rows()));
  verb.option("--shape", &options.shapes, "One or more shapes B,T,D").default_shown();
  verb.option("--machine", &options.machine, "The implementation to time")
      .choices(choices_of(ets::machine_rows()))
      .default_shown();
  options.describe(verb, {{"fp32"}, {"fp64"}},
                   "Seconds per case and shape, at least three rounds; below 0.5, peak speeds are "
                   "measured briefly, too");
  verb.flag("--alone", &options.alone, "Time only our implementation, without a comparison");
  verb.flag("--json", &options.json, "Print JSON (schema lcsm-train.bench-ets/1)");
  verb.footer(kBenchEtsFooter);
}

}  // namespace runner
