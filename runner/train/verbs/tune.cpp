// `lcsm-train tune`: measures the choices of kernels on this GPU.
#include "runner/train/verbs/tune.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "lcsm/files/whole_file.h"
#include "runner/base/files/json_file.h"
#include "runner/base/process/command.h"
#include "runner/config/run/code_argument.h"
#include "runner/train/bench/bench_eos.h"
#include "runner/train/bench/bench_setting.h"
#include "runner/train/verbs/train_verbs.h"

namespace runner {
namespace {

struct TuneOptions {
  std::vector<std::string> codes, shapes;
  std::string dtype = "bf16", out;
  double budget = 1;
  bool json = false;
};

constexpr std::size_t kMostLines = 38;  // of variants

constexpr const char* kTuneFooter =
    R"text(Each choice (blocks per multiprocessor, stages, steps per lane, how time is
split) is tried with each of its values, one choice at a time, then the winners
together. Kernels of all variants are compiled side by side. The output and the
gradients of each variant are compared with the CPU's machine in float32; then
all take turns, as replayed graphs. A variant that does not compile, does not fit
or differs is one line and is never chosen; neither is one that saves less than
2 %.
  f, f+b     ms forward; forward + backward
  error      the largest of the output and the gradients, relative to the norm
--out writes lcsm/cuda/driver/choices.csv with what was measured on this GPU;
commit it and rebuild to use it.
Exit code 1: the kernels by the rules are refused or differ.
Examples:
  lcsm-train tune --out choices.csv
  lcsm-train tune --codes 1-3-1-0 --shape 1024,512,64,64 --budget 5)text";

// The cases that the project measures.
struct Group {
  std::string shape;
  std::vector<std::string> codes;
};
std::vector<Group> groups_of(const TuneOptions& options) {
  std::vector<Group> groups = {
      {"1024,512,64,64", {"1-10-1-0", "1-3-1-0", "1-1-1-0", "1-9-1-0", "fwp"}},
      {"1024,512,128,128", {"1-10-1-0", "1-3-1-0", "1-1-1-0"}},
      {"64,512,512,128", {"1-10-1-0", "1-3-1-0", "1-1-1-0"}},
      {"16,4096,512,1", {"0-2-0-0", "0-ces-0-0", "0-ema-0-0"}},
      {"16,4096,512,32", {"0-s4d-0-0"}}};
  if (options.codes.empty() != options.shapes.empty())
    throw std::invalid_argument("tune: expected --codes and --shape, got only one of them");
  if (options.codes.empty()) return groups;
  groups.clear();
  for (const std::string& shape : options.shapes) groups.push_back({shape, options.codes});
  return groups;
}

std::vector<TuneCase> cases_of(const TuneOptions& options) {
  std::vector<TuneCase> cases;
  for (const Group& group : groups_of(options)) {
    const CodeSelection selection = read_codes(group.codes, {});
    BenchShape shape = parse_shape(group.shape);
    for (const lcsm::Code& code : selection.codes) {
      const lcsm::Variant variant = lcsm::make_variant(code, selection.catalogue, shape.sizes);
      shape.sizes = variant.sizes;
      cases.push_back(
          {lcsm::to_string(code, selection.catalogue), variant, shape, type_of(options.dtype)});
    }
  }
  return cases;
}

std::string row_of(const TuneResult& result, const TuneVariant& variant) {
  const std::string name = variant.choices.empty() ? result.name : "  " + name_of(variant);
  if (!variant.refusal.empty())
    return fmt::format("{:<33} refused: {:.90}\n", name, first_line(variant.refusal));
  return fmt::format("{:<33}{:>9.3f}{:>9.3f}{:>9.1e}{}\n", name, 1e3 * variant.forward,
                     1e3 * variant.both, variant.difference, variant.is_chosen ? "  chosen" : "");
}

nlohmann::ordered_json json_of(const std::vector<TuneResult>& results, const std::string& device,
                               const std::string& dtype) {
  nlohmann::ordered_json all = {
      {"schema", "lcsm-train.tune/1"}, {"device", device}, {"dtype", dtype}};
  for (const lcsm::ChoiceRow& row : lcsm::choice_rows()) all["rules"][row.name] = row.rule;
  for (const TuneResult& result : results)
    for (const TuneVariant& each : result.variants) {
      nlohmann::ordered_json row = {{"case", result.name}, {"variant", name_of(each)}};
      if (each.refusal.empty())
        row.update({{"forward", each.forward},
                    {"forward_backward", each.both},
                    {"error", each.difference},
                    {"chosen", each.is_chosen}});
      else
        row["refused"] = each.refusal;
      all["results"].push_back(std::move(row));
    }
  return all;
}

int tune_all(const TuneOptions& options) {
  const std::vector<TuneCase> cases = cases_of(options);
  const ComputeDevice device = bench_device("cuda");
  fmt::print(stderr, "{}: compiling the kernels of {} cases\n", device.name, cases.size());
  compile_variants(cases, *device.gpu);
  std::vector<TuneResult> results;
  std::vector<lcsm::ChoiceLine> lines;
  for (const TuneCase& each : cases) {
    fmt::print(stderr, "{}\n", name_of(each));
    results.push_back(tune(each, device, options.budget));
    lines.insert(lines.end(), results.back().lines.begin(), results.back().lines.end());
    if (!options.out.empty())  // results so far
      lcsm::write_whole(options.out,
                        lcsm::choices_text(with_measured(lcsm::committed_choices(), lines)));
  }
  if (options.json)
    fmt::print("{}", printed_json(json_of(results, device.name, options.dtype)));
  else
    fmt::print("{:<33}{:>9}{:>9}{:>9}\n{}", fmt::format("{:.24}, {}", device.name, options.dtype),
               "f", "f+b", "error", tune_table(results, kMostLines));
  return std::all_of(results.begin(), results.end(),
                     [](const TuneResult& each) { return each.variants[0].refusal.empty(); })
             ? 0
             : 1;
}

}  // namespace

std::string tune_table(const std::vector<TuneResult>& results, std::size_t most) {
  struct Row {
    int rank;
    std::string text;
  };
  std::vector<Row> rows;
  for (const TuneResult& result : results)
    for (const TuneVariant& each : result.variants)
      rows.push_back({each.choices.empty() || each.is_chosen ? 0
                      : each.refusal.empty()                 ? 2
                                                             : 1,
                      row_of(result, each)});
  std::multiset<int> ranks;
  for (const Row& row : rows) ranks.insert(row.rank);
  std::string text;
  std::size_t left_out = 0;
  std::map<int, std::size_t> shown;
  for (const Row& row : rows) {
    const auto before =
        static_cast<std::size_t>(std::distance(ranks.begin(), ranks.lower_bound(row.rank)));
    if (before + shown[row.rank] < most) {
      text += row.text;
      ++shown[row.rank];
    } else {
      ++left_out;
    }
  }
  return left_out == 0 ? text : text + fmt::format("{} more variants: --json\n", left_out);
}

void add_tune(Verb& program) {
  Verb& verb = program.verb("tune", "Measure the choices of kernels on this GPU");
  TuneOptions& options = verb.runs(tune_all);
  verb.option(
      "--codes", &options.codes,
      "One or more codes or patterns, with --shape (default: those of the project's goals)");
  verb.option("--shape", &options.shapes, "One or more shapes B,T,D,K");
  verb.option("--dtype", &options.dtype, "Type of inputs and outputs")
      .choices({{"fp32"}, {"bf16"}})
      .default_shown();
  verb.option("--budget", &options.budget, "Seconds per code and shape, at least three rounds")
      .range(0.0, 3600.0)
      .default_shown();
  verb.option("--out", &options.out, "The file for the table of choices, as CSV");
  verb.flag("--json", &options.json, "Print JSON (schema lcsm-train.tune/1)");
  verb.footer(kTuneFooter);
}

}  // namespace runner
