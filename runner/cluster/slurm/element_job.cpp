#include "runner/cluster/slurm/element_job.h"

#include <unistd.h>

#include <charconv>
#include <chrono>
#include <cstdlib>
#include <sstream>

#include "runner/base/process/command.h"
#include "runner/base/process/process_facts.h"

namespace runner {
namespace {

using namespace std::chrono_literals;

constexpr auto kElementPatience = 60s;  // slurmctld may be busy
constexpr int kTries = 10;

std::string trouble_of(const CommandResult& result, const std::string& command) {
  if (!result.started) return command + ": not found";
  if (result.timed_out) return command + ": no answer";
  const std::string said = first_line(result.err.empty() ? result.out : result.err);
  return command + ": " + (said.empty() ? "status " + std::to_string(result.exit_code) : said);
}

std::optional<double> number_of(const std::string& text) {
  int number = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = error == std::errc{} && rest == text.data() + text.size() && number >= 0;
  return whole ? std::optional<double>(number) : std::nullopt;
}

// The job becomes pending first; only then can nodes be excluded.
std::string exclude(const std::string& id, const std::set<std::string>& nodes) {
  std::string list;
  for (const std::string& node : nodes) list += (list.empty() ? "" : ",") + node;
  CommandResult result;
  for (int i = 0; i < kTries; ++i) {
    result =
        run_command({"scontrol", "update", "JobId=" + id, "ExcNodeList=" + list}, kElementPatience);
    if (result.ok()) return "";
    sleep(1);
  }
  return trouble_of(result, "scontrol update");
}

}  // namespace

ElementJob this_element() {
  const std::string array = environment_variable("SLURM_ARRAY_JOB_ID"),
                    node = environment_variable("SLURMD_NODENAME");
  return {array.empty() ? environment_variable("SLURM_JOB_ID")
                        : array + "_" + environment_variable("SLURM_ARRAY_TASK_ID"),
          node.empty() ? host_name() : node};
}

std::vector<std::string> gpus_of_element() {
  const std::string given = environment_variable("CUDA_VISIBLE_DEVICES");
  std::vector<std::string> gpus;
  if (given == "NoDevFiles") return gpus;
  std::istringstream words(given);
  for (std::string word; std::getline(words, word, ',');)
    if (!word.empty()) gpus.push_back(word);
  return gpus;
}

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

std::optional<double> seconds_left(const ElementJob& job) {
  if (job.id.empty()) return std::nullopt;
  const CommandResult result =
      run_command({"squeue", "-h", "-j", job.id, "-o", "%L"}, kElementPatience);
  return result.ok() ? seconds_of_slurm(first_line(result.out)) : std::nullopt;
}

std::string requeue(const ElementJob& job, const std::set<std::string>& excluded) {
  const CommandResult result = run_command({"scontrol", "requeue", job.id}, kElementPatience);
  if (!result.ok()) return trouble_of(result, "scontrol requeue");
  return excluded.empty() ? "" : exclude(job.id, excluded);
}

}  // namespace runner
