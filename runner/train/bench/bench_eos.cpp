// `lcsm-train bench eos`: times the recurrence and tensor operations that compute it.
#include "runner/train/bench/bench_eos.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "lcsm/code/plan.h"
#include "lcsm/cuda/cuda_machine.h"
#include "runner/base/files/json_file.h"
#include "runner/config/run/code_argument.h"
#include "runner/train/bench/bench.h"
#include "runner/train/bench/bench_eos_report.h"

namespace runner {
namespace {

struct BenchEosOptions : BenchOptions {
  std::vector<std::string> codes, files, shapes = {"8,512,128,32", "4,256,256,64"};
  bool alone = false;
};

constexpr const char* kBenchEosFooter =
    R"text(Times the op forward, and forward + backward, for each code and shape,
against a loop over time in tensor operations. The loop runs under autograd, is
as fast as LibTorch allows, and keeps its state in float32 or better. Its output
and gradients are first compared with ours; then both are timed in turn.
  f, f+b     forward; forward + backward
  GFLOP/s    counts 4 k d operations per token forward, 12 k d more backward
  GB/s       counts the op's inputs and output once in f, twice in f+b
  %          of what matrix products and copies reach on this host
  loop       its time relative to ours, best against best
  mem        peak memory of f+b relative to the op's inputs + output
With --device cuda, both run as graphs, replayed with warm caches; JSON also has
the times with cold caches.
Exit code 1: the loop computes a different result.
Examples:
  lcsm-train bench eos --codes '1-*-1-0' ssm --shape 8,512,128,32
  lcsm-train bench eos --device cuda --dtype bf16 --codes 0-2-0-0 --shape 16,4096,512,1 --alone
  lcsm-train bench eos --dtype bf16 --threads 1 --json > eos.json)text";

// One code per oscillation, custom ones included, and the all-static code.
std::vector<std::string> usual_codes(const lcsm::Catalogue& catalogue) {
  std::vector<std::string> codes;
  for (const lcsm::Oscillation& row : catalogue.all())
    codes.push_back(lcsm::plain_code(row, catalogue));
  codes.push_back("0-0-0-0");
  return codes;
}

struct Chosen {
  std::string code;
  lcsm::Variant variant;  // sized for a shape
};

std::vector<Chosen> chosen_codes(const CodeSelection& selection, const BenchShape& shape) {
  std::vector<Chosen> chosen;
  for (const lcsm::Code& code : selection.codes)
    chosen.push_back({lcsm::to_string(code, selection.catalogue),
                      lcsm::make_variant(code, selection.catalogue, shape.sizes)});
  return chosen;
}

// Sizes that a code names override the shape's.
BenchShape shape_for(const Chosen& chosen, BenchShape shape) {
  shape.sizes = chosen.variant.sizes;
  return shape;
}

CodeSelection select(const BenchEosOptions& options) {
  if (!options.codes.empty()) return read_codes(options.codes, options.files);
  CodeSelection selection = read_codes({}, options.files);
  for (const std::string& code : usual_codes(selection.catalogue))
    selection.codes.push_back(lcsm::parse_code(code, selection.catalogue));
  return selection;
}

std::size_t width_of(const std::vector<Chosen>& all) {
  std::size_t width = 8;
  for (const Chosen& chosen : all) width = std::max(width, chosen.code.size());
  return width;
}

// True if a GPU can compute it; if not, says why.
bool runs_on_a_gpu(const Chosen& chosen, std::size_t width, bool quiet) {
  try {
    lcsm::cuda_machine_of(chosen.variant, lcsm::plan_of(chosen.variant));
    return true;
  } catch (const std::invalid_argument& refusal) {
    if (!quiet) fmt::print("{:<{}} {}\n", chosen.code, width, refusal.what());
    return false;
  }
}

void bench_eos(const BenchEosOptions& options) {
  std::vector<BenchShape> shapes;
  for (const std::string& text : options.shapes) shapes.push_back(parse_shape(text));
  const CodeSelection selection = select(options);
  const BenchSetting setting = bench_setting(options);
  nlohmann::ordered_json json = setting_json(setting, "lcsm-train.bench-eos/2");
  json["results"] = nlohmann::json::array();
  if (!options.json) fmt::print("{}", heading(setting));
  for (const BenchShape& shape : shapes) {
    const std::vector<Chosen> all = chosen_codes(selection, shape);
    const std::size_t width = width_of(all);
    if (!options.json) fmt::print("{}", shape_heading(shape, width));
    for (const Chosen& chosen : all) {
      if (setting.device.gpu && !runs_on_a_gpu(chosen, width, options.json)) continue;
      const BenchResult result =
          bench_case(chosen.code, chosen.variant, shape_for(chosen, shape), type_of(options.dtype),
                     options.budget, setting.device, options.alone);
      if (options.json)
        json["results"].push_back(result_json(setting, result, chosen.variant));
      else
        fmt::print("{}", table_rows(setting, result, chosen.variant, width));
      std::fflush(stdout);
    }
  }
  if (options.json) fmt::print("{}", printed_json(json));
}

}  // namespace

BenchShape parse_shape(const std::string& text) {
  const std::vector<std::int64_t> sizes = parse_sizes(text, "B,T,D,K", "8,512,128,32");
  return {sizes[0], sizes[1], {static_cast<int>(sizes[2]), static_cast<int>(sizes[3])}};
}

void add_bench_eos(Verb& bench) {
  Verb& verb = bench.verb("eos", "Time the recurrence, compared with tensor operations");
  BenchEosOptions& options = verb.runs(bench_eos);
  verb.option("--codes", &options.codes,
              "One or more codes or patterns (default: one per oscillation)");
  verb.option("--shape", &options.shapes, "One or more shapes B,T,D,K").default_shown();
  options.describe(verb, {{"fp32"}, {"fp64"}, {"bf16"}},
                   "Seconds per code and shape, at least three rounds; below 0.5, peak speeds are "
                   "measured briefly, too");
  verb.option("--file", &options.files, "A TOML file with custom oscillations").existing_file();
  verb.flag("--alone", &options.alone, "Time only our implementation, without a comparison");
  verb.flag("--json", &options.json, "Print JSON (schema lcsm-train.bench-eos/2)");
  verb.footer(kBenchEosFooter);
}

}  // namespace runner
