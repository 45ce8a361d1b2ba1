#include "runner/sweeps/schedule/run_budget.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <sstream>

#include "runner/base/host/resources.h"
#include "runner/base/process/exit_code.h"
#include "runner/base/process/process_facts.h"
#include "runner/base/text/duration.h"
#include "runner/workspace/control.h"

namespace runner {
namespace {

bool is_number(const std::string& text) {
  return !text.empty() && text.size() < 5 && std::all_of(text.begin(), text.end(), ::isdigit);
}

std::string uuid_of(const std::string& start, const std::vector<Gpu>& gpus) {
  std::vector<std::string> found;
  for (const Gpu& gpu : gpus)
    if (!start.empty() && gpu.uuid.starts_with(start)) found.push_back(gpu.uuid);
  if (found.size() == 1) return found[0];
  throw Failure(
      ExitCode::kMissing,
      fmt::format("--gpus: expected the start of one GPU's UUID, got '{}', which matches {} of "
                  "{}: `lcsm doctor` lists them",
                  start, found.empty() ? "none" : "several", gpus.size()));
}

}  // namespace

void add_budget_options(Verb& verb, RunBudget* budget) {
  verb.option("--jobs", &budget->jobs, "Runs at the same time (default: one per core, or per GPU)")
      .range(1, kMostJobs);
  verb.option("--gpus", &budget->gpus,
              "Run on GPUs: all, a number, or UUIDs separated by commas (default: none)")
      .type("GPUS");
  verb.option("--timeout", &budget->timeout,
              "Stop a run that takes longer (90s, 15m, 2h); the next `lcsm run` resumes it "
              "(default: 0, no limit)")
      .type("TIME");
  verb.option("--grace", &budget->grace,
              "Grace period: time for a run to stop before it is killed (default: 1m)")
      .type("TIME");
  verb.option("--still", &budget->still,
              "Report a run with no events and no CPU time for this long (default: 10m; 0: never)")
      .type("TIME");
}

std::vector<std::string> chosen_gpus(const std::string& text) {
  std::vector<std::string> uuids;
  if (text.empty()) return uuids;
  const Gpus gpus = find_gpus();
  if (gpus.devices.empty())
    throw Failure(ExitCode::kMissing,
                  fmt::format("--gpus {}: expected a GPU, got none: {}", text, gpus.reason));
  const std::size_t wanted = text == "all"     ? gpus.devices.size()
                             : is_number(text) ? std::stoul(text)
                                               : 0;
  if (wanted > gpus.devices.size())
    throw Failure(ExitCode::kMissing, fmt::format("--gpus {}: expected that many GPUs, got {}",
                                                  text, gpus.devices.size()));
  for (std::size_t i = 0; i < wanted; ++i) uuids.push_back(gpus.devices[i].uuid);
  if (wanted > 0 || is_number(text)) return uuids;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ',');) {
    const std::string uuid = uuid_of(word, gpus.devices);
    if (std::count(uuids.begin(), uuids.end(), uuid) > 0)
      throw Failure(ExitCode::kMissing,
                    fmt::format("--gpus {}: expected each GPU once, got {} twice", text, uuid));
    uuids.push_back(uuid);
  }
  return uuids;
}

RunLimits limits_of(const RunBudget& budget) {
  const auto seconds = [](const char* option, const std::string& text) {
    try {
      return seconds_of(text);
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument(fmt::format("{}: {}", option, error.what()));
    }
  };
  RunLimits limits;
  if (!budget.timeout.empty()) limits.timeout_seconds = seconds("--timeout", budget.timeout);
  limits.grace_seconds = seconds("--grace", budget.grace);
  limits.stall_seconds = seconds("--still", budget.still);
  return limits;
}

std::filesystem::path trainer_program(const std::string& given, const std::string& advice) {
  const std::filesystem::path path =
      given.empty() ? program_folder() / "lcsm-train" : std::filesystem::absolute(given);
  if (!std::filesystem::exists(path))
    throw Failure(ExitCode::kMissing,
                  "expected the training program at " + path.string() + ", got none: " + advice);
  return path;
}

}  // namespace runner
