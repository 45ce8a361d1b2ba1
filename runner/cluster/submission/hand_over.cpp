#include "runner/cluster/submission/hand_over.h"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <cctype>

#include "lcsm/files/whole_file.h"
#include "runner/base/host/libtorch.h"
#include "runner/base/process/stderr_text.h"
#include "runner/base/process/steady_time.h"
#include "runner/base/process/stop_signals.h"
#include "runner/cluster/submission/freeze.h"
#include "runner/cluster/submission/look_timer.h"

namespace runner {

namespace {

constexpr const char* kCudaLibrary = "liblcsm_cuda.so";

}  // namespace

void say(const std::string& text) { print_safe("lcsm run: " + text + "\n"); }

ElementRules rules_of(const EngineSettings& settings) {
  const RunLimits limits = limits_of(settings.budget);
  ElementRules rules;
  rules.jobs = settings.budget.jobs;
  rules.retries = settings.policy.retries;
  rules.timeout = limits.timeout_seconds;
  rules.grace = limits.grace_seconds;
  rules.stall = limits.stall_seconds;
  return rules;
}

std::vector<RunToDo> runs_to_submit(const Work& work, const std::set<std::string>& known) {
  std::vector<RunToDo> runs;
  for (const RunToDo& run : work.runs)
    if (run.job.queued && !run.job.cancelled && !known.contains(run.job.id)) runs.push_back(run);
  return runs;
}

void report_nothing_to_submit(const Work& work) {
  fmt::print("{}: nothing to submit, {}\n", work.sweep.name, work.plan.counts().summary());
}

Submission submission_of(const Work& work, const std::vector<RunToDo>& runs,
                         const ElementRules& rules, const EngineSettings& settings, bool gpus) {
  find_libtorch(settings.trainer);
  ProgramToFreeze trainer{"lcsm-train", settings.trainer};
  const auto cuda = std::filesystem::canonical(settings.trainer).parent_path() / kCudaLibrary;
  if (gpus && std::filesystem::exists(cuda)) trainer.opens = cuda;
  if (!trainer.opens.empty())
    say("keeping the programs and CUDA's libraries in " +
        (settings.workspace / kFrozenFolder).string());
  const std::string program = freeze_programs(
      settings.workspace,
      {{"lcsm", std::filesystem::read_symlink("/proc/self/exe")}, std::move(trainer)});
  Submission submission{new_token(work.sweep.name), program, work.mark, rules};
  for (const RunToDo& each : runs)
    submission.runs.push_back({each.job.id, each.name, each.config, each.job.seconds,
                               each.job.memory_bytes, each.threads, each.disk_bytes});
  return submission;
}

bool wait_until_over(
    std::string seen,
    const std::function<std::optional<std::string>(const std::string& seen)>& look) {
  LookTimer timer(steady_seconds());
  while (StopCounter::count() == 0) {
    if (!timer.is_due(steady_seconds())) {
      poll(nullptr, 0, 200);  // a signal ends it
      continue;
    }
    const std::optional<std::string> now = look(seen);
    if (!now) return true;
    const bool changed = *now != seen;
    if (changed) say(*now);
    seen = *now;
    timer.looked(steady_seconds(), changed);
  }
  return false;
}

Failure not_submitted(const std::system_error& error) {
  const bool full = lcsm::is_full(error.code());
  return {ExitCode::kOutput,
          std::string("nothing was submitted: ") + error.what() +
              (full ? ": free some space there (`df -h`, `quota -s`) and run the same command again"
                    : "")};
}

std::string shell_quoted(const std::string& word) {
  const auto plain = [](unsigned char c) {
    return std::isalnum(c) ||
           std::string_view("-_=./:,%@+").find(static_cast<char>(c)) != std::string_view::npos;
  };
  if (!word.empty() && std::ranges::all_of(word, plain)) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

std::string shell_line(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + shell_quoted(word);
  return line;
}

}  // namespace runner
