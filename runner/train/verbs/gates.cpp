// `lcsm-train gates`: prints how fast the layers of a trained model forget.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "lcsm/base/allowance.h"
#include "lcsm/code/decay.h"
#include "results/events/run_folder.h"
#include "runner/base/files/json_file.h"
#include "runner/base/process/stderr_text.h"
#include "runner/base/text/counts.h"
#include "runner/base/text/terminal.h"
#include "runner/base/text/text_table.h"
#include "runner/config/keys/eval_keys.h"
#include "runner/data/tasks/example_order.h"
#include "runner/train/trainer/gate_facts.h"
#include "runner/train/trainer/stored_config.h"
#include "runner/train/trainer/threads.h"
#include "runner/train/trainer/trained_model.h"
#include "runner/train/verbs/run_argument.h"
#include "runner/train/verbs/train_verbs.h"
#include "runner/workspace/folder.h"

namespace runner {
namespace {

using Json = nlohmann::ordered_json;

struct GatesOptions {
  std::string run, checkpoint = "best", split = "valid", workspace;
  bool json = false, volumes = false;
};

constexpr const char* kGatesFooter = R"text(Examples:
  lcsm-train gates 3f9c
  lcsm-train gates 3f9c --checkpoint last --json
  lcsm-train gates 3f9c --volumes --split test > volumes.csv

lambda is |o_t|, what a step leaves of the memory, over the examples, steps and cells of one batch of
the split (eval.batch examples, spread over it); of a filter, |q| of its modes. The
half-life is ln 2 / -ln lambda, in steps. The floor is the least lambda that the learned weights
allow, whatever the data. |m| is the norm of the state after T/4, T/2 and T steps, a mean over
examples. A dash: there is no such number. --volumes prints the sum of the state's absolute values
after each step instead, a mean over examples, as CSV. `lcsm show RUN --gates` also finds runs by their values.)text";

struct Measured {
  std::string id;
  std::int64_t step = 0, examples = 0, length = 0;
  std::vector<GateFacts> gates;
};

Measured measure(const GatesOptions& options) {
  const auto warn = [](const std::string& text) { print_safe("lcsm-train gates: " + text + "\n"); };
  const auto workspace = workspace_folder(options.workspace);
  const std::string id = run_that_begins(workspace, options.run);
  const auto folder = results::run_folder(workspace, id);
  TrainedModel trained(folder, stored_config(folder, warn), workspace, options.checkpoint, warn);
  const Split split =
      *std::ranges::find_if(kSplits, [&](Split one) { return to_string(one) == options.split; });
  const std::vector<std::uint32_t> examples =
      spread_over(trained.data().evaluation_order(split),
                  static_cast<std::uint64_t>(trained.config().integer("eval.batch"_key)));
  const Batch batch = trained.data().batch(split, examples);
  Measured measured{id, trained.step(), batch.inputs.values.size(0), batch.inputs.length(),
                    gate_facts(trained.model(), batch.inputs, options.volumes)};
  if (measured.gates.empty())
    throw std::invalid_argument(
        "run " + id.substr(0, 8) +
        ": expected layers with a recurrence or a filter, got none: there is no gate to show");
  return measured;
}

double half_life_of(double lambda) {
  return std::isnan(lambda) ? NAN : lambda <= 0 ? 0 : lcsm::half_life(std::log(lambda));
}

Json numbers(const std::array<double, 3>& values) {
  Json json = Json::array();
  for (const double value : values) json.push_back(number_json(value));
  return json;
}

std::string json_text(const Measured& measured) {
  Json gates = Json::array();
  for (const GateFacts& each : measured.gates) {
    std::array<double, 3> lives{};
    std::ranges::transform(each.quantiles, lives.begin(), half_life_of);
    gates.push_back({{"layer", each.layer},
                     {"part", each.part},
                     {"kind", each.is_filter ? "filter" : "oscillation"},
                     {"mean", number_json(each.mean)},
                     {"quantiles", numbers(each.quantiles)},
                     {"half_lives", numbers(lives)},
                     {"near_zero", number_json(each.near_zero)},
                     {"near_one", number_json(each.near_one)},
                     {"floor", number_json(each.floor)},
                     {"state_norms", numbers(each.norms)}});
  }
  return printed_json({{"schema", "lcsm.gates/1"},
                       {"id", measured.id},
                       {"step", measured.step},
                       {"examples", measured.examples},
                       {"length", measured.length},
                       {"quantiles", kGateQuantiles},
                       {"state_times", kStateTimes},
                       {"gates", gates}});
}

std::string cell(double value, const char* format = "{:.4f}") {
  if (std::isnan(value)) return "-";
  return std::isinf(value) ? "never" : fmt::format(fmt::runtime(format), value);
}

std::string table_text(const Measured& measured) {
  const bool heads = std::ranges::any_of(measured.gates, [](const auto& g) { return g.parts > 1; });
  const bool floors =
      std::ranges::any_of(measured.gates, [](const auto& g) { return g.floor > 0; });
  const bool filters = measured.gates.front().is_filter;
  std::vector<Column> columns = {{"layer", Align::kRight}};
  const auto add = [&](std::initializer_list<const char*> names) {
    for (const char* name : names) columns.push_back({name, Align::kRight});
  };
  if (heads) add({filters ? "filter" : "head"});
  add({"lambda: mean", "5 %", "50 %", "95 %", "half-life: 5 %", "50 %", "95 %", "< 0.01",
       "> 0.99"});
  if (floors) add({"floor"});
  add({"|m|: T/4", "T/2", "T"});
  TextTable table(columns);
  for (const GateFacts& each : measured.gates) {
    std::vector<std::string> row = {std::to_string(each.layer)};
    if (heads) row.push_back(std::to_string(each.part));
    row.push_back(cell(each.mean));
    for (const double value : each.quantiles) row.push_back(cell(value));
    for (const double value : each.quantiles) row.push_back(cell(half_life_of(value), "{:.3g}"));
    row.push_back(cell(each.near_zero, "{:.3f}"));
    row.push_back(cell(each.near_one, "{:.3f}"));
    if (floors) row.push_back(cell(each.floor));
    for (const double value : each.norms) row.push_back(cell(value, "{:.3g}"));
    table.add_row(std::move(row));
  }
  return table.text(out_terminal());
}

std::string volumes_text(const Measured& measured) {
  std::string text = "layer,part,step,volume\n";
  for (const GateFacts& each : measured.gates)
    for (std::size_t t = 0; t < each.volumes.size(); ++t)
      text +=
          fmt::format("{},{},{},{}\n", each.layer, each.part, t + 1,
                      std::isnan(each.volumes[t]) ? "" : fmt::format("{:.9g}", each.volumes[t]));
  return text;
}

void gates(const GatesOptions& options) {
  use_threads(lcsm::read_allowance().cores());
  const Measured measured = measure(options);
  if (options.volumes) return fmt::print("{}", volumes_text(measured));
  if (options.json) return fmt::print("{}", json_text(measured));
  fmt::print(
      "run {}, step {}: {} of the split {}, {} each\n\n{}\n"
      "lambda: what a step leaves of the memory; half-life in steps; |m|: norm of the state\n",
      measured.id.substr(0, 8), measured.step, counted(measured.examples, "example"), options.split,
      counted(measured.length, "step"), table_text(measured));
}

}  // namespace

void add_gates(Verb& program) {
  Verb& verb = program.verb("gates", "Show how fast the layers of a trained model forget");
  GatesOptions& options = verb.runs(gates);
  verb.argument("run", &options.run, "First digits of the run's id").type("RUN").required();
  verb.option("--checkpoint", &options.checkpoint, "best, last or a step")
      .type("STEP")
      .default_shown();
  verb.option("--split", &options.split, "The split that it reads")
      .choices({{"train"}, {"valid"}, {"test"}})
      .default_shown();
  verb.flag("--volumes", &options.volumes, "Print the sum of each state after each step, as CSV");
  verb.flag("--json", &options.json, "Print JSON (schema lcsm.gates/1)");
  verb.option("--workspace", &options.workspace, kWorkspaceHelp).type("DIR");
  verb.footer(kGatesFooter);
}

}  // namespace runner
