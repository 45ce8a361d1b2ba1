#include "runner/cluster/slurm/element_job.h"

#include <unistd.h>

#include <chrono>
#include <sstream>

#include "lcsm/base/words.h"
#include "results/text/number_text.h"
#include "runner/base/process/command.h"
#include "runner/base/process/process_facts.h"

namespace runner {
namespace {

using namespace std::chrono_literals;

constexpr auto kElementPatience = 60s;  // slurmctld may be busy
constexpr int kTries = 10;

std::string why_failed(const CommandResult& result, const std::string& command) {
  if (!result.started) return command + ": not found";
  if (result.timed_out) return command + ": no answer";
  const std::string said = first_line(result.err.empty() ? result.out : result.err);
  return command + ": " + (said.empty() ? "status " + std::to_string(result.exit_code) : said);
}

std::optional<double> number_of(const std::string& text) {
  const auto number = results::all_of_it<int>(text);
  return number && *number >= 0 ? std::optional<double>(*number) : std::nullopt;
}

// The job becomes pending first; only then can nodes be excluded.
std::string exclude(const std::string& id, const std::set<std::string>& nodes) {
  const std::string list = lcsm::joined({nodes.begin(), nodes.end()}, ",");
  CommandResult result;
  for (int i = 0; i < kTries; ++i) {
    result =
        run_command({"scontrol", "update", "JobId=" + id, "ExcNodeList=" + list}, kElementPatience);
    if (result.ok()) return "";
    sleep(1);
  }
  return why_failed(result, "scontrol update");
}

}  // namespace

std::optional<double> seconds_of_slurm(const std::string& text) {
  const std::size_t dash = text.find('-');
  const auto days = dash == std::string::npos ? 0 : number_of(text.substr(0, dash));
  std::istringstream parts(text.substr(dash == std::string::npos ? 0 : dash + 1));
  double seconds = 0;
  int count = 0;
  for (std::string part; std::getline(parts, part, ':'); ++count) {
    const auto number = number_of(part);
    if (!number) return std::nullopt;
    seconds = 60 * seconds + *number;
  }
  if (!days || count < 1 || count > 3) return std::nullopt;
  return 86400 * *days + seconds;
}

std::optional<int> cores_of_job() {
  const auto number = number_of(environment_variable("SLURM_CPUS_ON_NODE"));
  return number && *number > 0 ? std::optional(static_cast<int>(*number)) : std::nullopt;
}

std::optional<double> seconds_left_of(const std::string& job) {
  const CommandResult result =
      run_command({"squeue", "-h", "-j", job, "-o", "%L"}, kElementPatience);
  return result.ok() ? seconds_of_slurm(first_line(result.out)) : std::nullopt;
}

std::string requeue_element(const std::string& job, const std::set<std::string>& nodes) {
  const CommandResult result = run_command({"scontrol", "requeue", job}, kElementPatience);
  if (!result.ok()) return why_failed(result, "scontrol requeue");
  return nodes.empty() ? "" : exclude(job, nodes);
}

}  // namespace runner
