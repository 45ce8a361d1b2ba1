// `lcsm-train bench step`: times a whole training step and its parts.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <nlohmann/json.hpp>
#include <set>

#include "lcsm/base/allowance.h"
#include "lcsm/base/revision.h"
#include "runner/base/files/json_file.h"
#include "runner/base/process/process_facts.h"
#include "runner/base/process/stderr_text.h"
#include "runner/base/text/counts.h"
#include "runner/config/keys/config_keys.h"
#include "runner/train/bench/bench.h"
#include "runner/train/bench/bench_setting.h"
#include "runner/train/bench/bench_step_case.h"
#include "runner/train/trainer/threads.h"

namespace runner {
namespace {

using nlohmann::ordered_json;

struct BenchStepOptions : BenchOptions {
  std::vector<std::string> tasks, models = {"attention", "1-3-1-0", "1-9-1-0"}, settings;
  bool alone = false, profile = false;
};

constexpr int kProfiledSteps = 10;

constexpr const char* kBenchStepFooter =
    R"text(Trains several models on the same task, one step each in turn.
  of first   time of a step relative to the first model's
  plain      time of a plain loop relative to ours: the same model and batches,
             but with LibTorch's products and cross-entropy, all logits, AdamW
             one tensor at a time, and a named system's block by its definition.
             The first losses must agree.
  peak MiB   peak memory of the tensors of our training: weights, gradients,
             optimizer and one step
  data to update   the parts of our median step, in ms; head includes its
             own backward pass
  --profile  each operation without those that it calls; what it could: the time
             that its products or its bytes, read and written once, would take
             at this host's rates, as a share of its own
Tasks: mqar (V 8192, T 64, 4 pairs, d 64, k 64, 2 layers, batch 64) and text
(random bytes, T 256, d 128, k 32, 4 layers, batch 16); --set overrides these,
and task.tokens=gpt2 makes the text's vocabulary 50265.
Examples:
  lcsm-train bench step --task text --models attention 1-1-1-0
  lcsm-train bench step --task mqar --set optim.precision=bf16 --json)text";

// Seconds since this process started, to a hundredth.
double process_seconds() {
  const std::optional<ProcessFacts> facts = facts_of_process(getpid());
  if (!facts) return 0;
  timespec now{};
  clock_gettime(CLOCK_BOOTTIME, &now);
  const double since_boot =
      static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
  return since_boot -
         static_cast<double>(facts->started) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

struct Part {
  const char* name;
  double StepTimes::*seconds;
};
constexpr Part kParts[] = {{"data", &StepTimes::data},
                           {"forward", &StepTimes::forward},
                           {"head", &StepTimes::head},
                           {"backward", &StepTimes::backward},
                           {"update", &StepTimes::update}};

std::string table(const StepTask& task, const std::vector<StepResult>& results) {
  std::size_t width = 10;
  for (const StepResult& r : results) width = std::max(width, r.model.size() + 1);
  std::string text =
      fmt::format("\n{}: {}\n{:<{}}{:>9}{:>9}{:>9}{:>10}{:>8}{:>10}", task.name, task.what, "model",
                  width, "params", "best ms", "median", "of first", "plain", "peak MiB");
  for (const Part& part : kParts) text += fmt::format("{:>9}", part.name);
  text += "\n";
  for (const StepResult& r : results) {
    const std::size_t middle = median_at(r.ours);
    const std::string plain =
        r.plain.empty() ? "" : fmt::format("{:.2f}x", best(r.plain) / best(r.ours));
    text += fmt::format(
        "{:<{}}{:>9}{:>9.1f}{:>9.1f}{:>9.2f}x{:>8}{:>10}", r.model, width, r.parameters,
        1e3 * best(r.ours), 1e3 * r.ours[middle], best(r.ours) / best(results[0].ours), plain,
        r.peak_bytes == 0 ? ""
                          : fmt::format("{:.1f}", static_cast<double>(r.peak_bytes) / (1 << 20)));
    for (const Part& part : kParts)
      text += fmt::format("{:>9.1f}", 1e3 * (r.times[middle].*part.seconds));
    text += "\n";
  }
  return text;
}

// Results of a task: its models with step and plain (best, median, repeats in seconds), parts of
// the median step, data_seconds, model_seconds, first_step_seconds, loss_difference of the first
// step, peak_bytes.
ordered_json results_json(const StepTask& task, const std::vector<StepResult>& results) {
  ordered_json out = {{"task", task.name}, {"settings", task.settings}};
  for (const StepResult& r : results) {
    ordered_json parts;
    for (const Part& part : kParts) parts[part.name] = r.times[median_at(r.ours)].*part.seconds;
    out["models"].push_back({{"model", r.model},
                             {"parameters", r.parameters},
                             {"step", times_json(r.ours)},
                             {"plain", r.plain.empty() ? ordered_json() : times_json(r.plain)},
                             {"parts", parts},
                             {"data_seconds", r.data_seconds},
                             {"model_seconds", r.model_seconds},
                             {"first_step_seconds", r.first_step_seconds},
                             {"loss_difference", r.loss_difference},
                             {"peak_bytes", peak_json(r.peak_bytes)}});
    for (const ProfileRow& row : r.profile)
      out["models"].back()["profile"].push_back({{"operation", row.operation},
                                                 {"calls", row.calls / kProfiledSteps},
                                                 {"seconds", row.seconds / kProfiledSteps},
                                                 {"bytes", row.bytes / kProfiledSteps},
                                                 {"flops", row.flops / kProfiledSteps}});
  }
  return out;
}

void print_profiles(const BenchStepOptions& options, const std::vector<StepResult>& results) {
  const BenchSetting setting = bench_setting(options);
  fmt::print("\n{}\n", heading(setting));
  for (const StepResult& r : results)
    fmt::print("\na step of {}, {:.1f} ms:\n{}", r.model, 1e3 * r.profiled_seconds / kProfiledSteps,
               profile_table(r.profile, r.profiled_seconds, kProfiledSteps, most_gflops(setting),
                             most_gbps(setting)));
}

// Reports once which settings have no effect, since they may be mistakes.
void say_unused(const BenchStepOptions& options, const std::vector<const StepTask*>& tasks) {
  std::set<std::string> said;
  for (const StepTask* const task : tasks)
    for (const std::string& model : options.models) {
      const RunConfig config = step_config(*task, model, options.settings);
      for (const std::string& setting : options.settings) {
        const int key = key_index(setting.substr(0, setting.find('=')));
        if (key < 0 || config.at(key).used) continue;
        if (const std::string why = why_unused(config, key); said.insert(why).second)
          print_safe("lcsm-train bench step: " + why + "\n");
      }
    }
}

std::vector<const StepTask*> chosen_tasks(const std::vector<std::string>& names) {
  std::vector<const StepTask*> tasks;
  for (const std::string& name : names) tasks.push_back(&step_task(name));
  if (names.empty())
    for (const StepTask& task : step_tasks()) tasks.push_back(&task);
  return tasks;
}

// `started`: when the bench did, in seconds after its process.
void print_first_step(const StepResult& first, double started) {
  fmt::print(
      "first step of {} done {:.2f} s after process start: program {:.2f}, data {:.2f}, "
      "model {:.2f}, step {:.2f}\n",
      first.model, started + first.data_seconds + first.model_seconds + first.first_step_seconds,
      started, first.data_seconds, first.model_seconds, first.first_step_seconds);
}

void bench_step(const BenchStepOptions& options) {
  if (options.profile && options.device != "cpu")
    throw std::invalid_argument("bench step: --profile expects --device cpu, got " +
                                options.device +
                                ": kernels of a GPU run beside the operations that launch them");
  const double started = process_seconds();
  const std::vector<const StepTask*> tasks = chosen_tasks(options.tasks);
  say_unused(options, tasks);
  use_threads(options.threads);
  const ComputeDevice device = bench_device(options.device);
  ordered_json json = {{"schema", "lcsm-train.bench-step/1"},
                       {"version", lcsm::kRevision.version},
                       {"commit", lcsm::kRevision.commit},
                       {"dirty", lcsm::kRevision.dirty},
                       {"cpu", lcsm::cpu_model()},
                       {"threads", options.threads},
                       {"set", options.settings},
                       {"budget", options.budget},
                       {"start_seconds", started},
                       {"device", device.name}};
  if (!options.json)
    fmt::print("{}, {}\n", device.gpu ? device.name : lcsm::cpu_model(),
               counted(options.threads, "thread"));
  for (const StepTask* task : tasks) {
    const auto results =
        bench_steps(*task, options.models, options.settings,
                    {options.budget, options.alone, options.profile ? kProfiledSteps : 0, device});
    json["results"].push_back(results_json(*task, results));
    if (options.json) continue;
    fmt::print("{}", table(*task, results));
    if (options.profile) print_profiles(options, results);
    if (task == tasks[0]) print_first_step(results[0], started);
    std::fflush(stdout);
  }
  if (options.json) fmt::print("{}", printed_json(json));
}

}  // namespace

void add_bench_step(Verb& bench) {
  Verb& verb = bench.verb("step", "Time whole training steps, compared with a plain loop");
  BenchStepOptions& options = verb.runs(bench_step);
  options.budget = 5;
  verb.option("--task", &options.tasks, "mqar or text (default: both)");
  verb.option("--models", &options.models, "Models: attention, codes, named systems")
      .default_shown();
  verb.option("--set", &options.settings, "Override a setting of the task").type("KEY=VALUE");
  options.describe(verb, {}, "Seconds per task, at least three rounds");
  verb.flag("--alone", &options.alone, "Skip the plain loop");
  verb.flag("--profile", &options.profile, "Also show where a step's time goes, by operation");
  verb.flag("--json", &options.json, "Print JSON (schema lcsm-train.bench-step/1)");
  verb.footer(kBenchStepFooter);
}

}  // namespace runner
