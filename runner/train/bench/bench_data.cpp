// `lcsm-train bench data`: how fast a task's examples are read, beside the step that they feed.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "lcsm/base/allowance.h"
#include "runner/base/process/stderr_text.h"
#include "runner/train/bench/bench.h"
#include "runner/train/trainer/threads.h"
#include "runner/train/trainer/trainer.h"
#include "runner/workspace/folder.h"

namespace runner {
namespace {

using Clock = std::chrono::steady_clock;

struct BenchDataOptions {
  std::vector<std::string> tasks, settings;
  std::string workspace;
  int threads = lcsm::read_allowance().cores();
  std::int64_t steps = 10;
  bool json = false;
};

constexpr const char* kBenchDataFooter = R"text(Columns:
  read       examples a second that are made into batches, nothing else to do
  step       examples a second that training takes with nothing read ahead
  waits      share of such a step that waits for its examples
  ahead      examples a second of training with run.prefetch steps read ahead
  waits      the same share, of those
The median of --steps steps after a first one, in the order of an epoch. Tasks whose examples are
made by several threads are never read ahead.
Examples:
  lcsm-train bench data --task mqar --steps 3
  lcsm-train bench data --task nss --set model.code=1-3-1-2 --workspace workspace)text";

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double median(std::vector<double> of) {
  std::nth_element(of.begin(), of.begin() + static_cast<std::ptrdiff_t>(of.size() / 2), of.end());
  return of[of.size() / 2];
}

struct Rate {
  double examples = 0, waits = 0;  // a second; a share of the step
};

double reading_rate(const RunConfig& config, TaskData& data, std::int64_t steps) {
  const auto size = static_cast<std::size_t>(config.integer("optim.batch"));
  const std::vector<std::uint32_t> order = data.training_order({true, size, 1, 0});
  std::vector<double> rates;
  for (std::int64_t i = 0; i <= steps; ++i) {
    const std::size_t first = static_cast<std::size_t>(i) * size % order.size();
    const std::size_t count = std::min(size, order.size() - first);
    const auto start = Clock::now();
    data.batch(Split::kTrain, std::span(order).subspan(first, count));
    if (i > 0) rates.push_back(static_cast<double>(count) / seconds_since(start));
  }
  return median(rates);
}

Rate training_rate(const RunConfig& config, TaskData& data, std::int64_t steps) {
  Trainer trainer(config, data);
  std::vector<double> rates, waits;
  for (std::int64_t n = 1; n <= steps + 1; ++n) {
    const auto start = Clock::now();
    const StepFacts facts = trainer.step(n);
    const double seconds = seconds_since(start);
    if (n == 1) continue;
    rates.push_back(static_cast<double>(trainer.course().examples_of(n).count) / seconds);
    waits.push_back(facts.times.data / seconds);
  }
  return {median(rates), median(waits)};
}

RunConfig config_of(const std::string& task, std::vector<std::string> settings, bool ahead) {
  settings.insert(settings.begin(), {"task.name=" + task, "model.code=1-3-1-2"});
  if (!ahead) settings.emplace_back("run.prefetch=0");
  return parse_config("", "", settings, [](const std::string& what) { print_safe(what + "\n"); });
}

void bench_data(const BenchDataOptions& options) {
  const std::filesystem::path workspace = workspace_folder(options.workspace);
  use_threads(options.threads);
  nlohmann::ordered_json json = {{"schema", "lcsm-train.bench-data/1"},
                                 {"threads", options.threads},
                                 {"steps", options.steps},
                                 {"set", options.settings}};
  if (!options.json)
    fmt::print("{:<16}{:>12}{:>10}{:>8}{:>10}{:>8}\n", "task", "read", "step", "waits", "ahead",
               "waits");
  for (const std::string& task : options.tasks) {
    const RunConfig plain = config_of(task, options.settings, false),
                    ahead = config_of(task, options.settings, true);
    const auto data = open_task(plain, workspace);
    const double reading = reading_rate(plain, *data, options.steps);
    const Rate without = training_rate(plain, *data, options.steps),
               with = training_rate(ahead, *data, options.steps);
    json["results"].push_back({{"task", task},
                               {"read", reading},
                               {"step", without.examples},
                               {"step_waits", without.waits},
                               {"ahead", with.examples},
                               {"ahead_waits", with.waits}});
    if (!options.json)
      fmt::print("{:<16}{:>12.0f}{:>10.1f}{:>7.2f}%{:>10.1f}{:>7.2f}%\n", task, reading,
                 without.examples, 100 * without.waits, with.examples, 100 * with.waits);
  }
  if (options.json) fmt::print("{}\n", json.dump(2));
}

}  // namespace

void add_bench_data(Verb& bench) {
  Verb& verb = bench.verb("data", "Time how fast examples are read, beside the steps they feed");
  BenchDataOptions& options = verb.runs(bench_data);
  verb.option("--task", &options.tasks, "Tasks").required();
  verb.option("--set", &options.settings, "Set a key of the run").type("KEY=VALUE").one_at_a_time();
  verb.option("--threads", &options.threads, "Number of threads").range(1, 1024).default_shown();
  verb.option("--steps", &options.steps, "Steps of each").range(1, 100000).default_shown();
  verb.option("--workspace", &options.workspace, "The workspace (default: ./workspace)")
      .type("DIR");
  verb.flag("--json", &options.json, "Print JSON (schema lcsm-train.bench-data/1)");
  verb.footer(kBenchDataFooter);
}

}  // namespace runner
