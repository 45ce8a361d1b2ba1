#include "runner/cluster/slurm/commands.h"

#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <string_view>

#include "lcsm/base/words.h"

namespace runner {
namespace {

using namespace std::chrono_literals;

constexpr auto kPatience = 120s;  // a busy slurmctld retries for itself

// Variables that would change what these programs print, or hide jobs.
const std::vector<std::string>& environment() {
  static const std::vector<std::string> all = {"LC_ALL=C",           "SLURM_TIME_FORMAT=standard",
                                               "SLURM_BITSTR_LEN=0", "SQUEUE_FORMAT",
                                               "SQUEUE_FORMAT2",     "SQUEUE_STATES",
                                               "SQUEUE_PARTITION",   "SQUEUE_ACCOUNT",
                                               "SQUEUE_NAMES",       "SQUEUE_QOS",
                                               "SQUEUE_USERS",       "SQUEUE_LICENSES",
                                               "SQUEUE_ARRAY",       "SQUEUE_ARRAY_UNIQUE",
                                               "SQUEUE_SORT",        "SACCT_FORMAT",
                                               "SACCT_FEDERATION",   "SLURM_JOB_ID",
                                               "SLURM_JOBID",        "SBATCH_ARRAY_INX",
                                               "SBATCH_WAIT",        "SBATCH_TEST_ONLY",
                                               "SBATCH_DEPENDENCY",  "SLURM_STEP_ID"};
  return all;
}

struct AdviceRow {
  std::string_view message, advice;
  bool unsure = false;
};

constexpr std::array kAdvice = {
    AdviceRow{"nvalid partition", "set 'partition' of the profile to one that `sinfo -s` lists"},
    AdviceRow{"nvalid account",
              "set 'account' of the profile to one that `sacctmgr show assoc user=$USER` lists, "
              "allowed in its partition"},
    AdviceRow{"nvalid qos",
              "set 'qos' of the profile to one that `sacctmgr show assoc user=$USER` lists"},
    AdviceRow{"QOS", "see `sacctmgr show qos` for its limits"},
    AdviceRow{"nvalid generic resource",
              "set 'gpus' of the profile to what `sinfo -o '%P %G'` lists for its partition"},
    AdviceRow{"Memory specification", "lower 'memory' of the profile: `sinfo -o '%P %m'`"},
    AdviceRow{"node configuration is not available",
              "no node has what the profile requests: compare 'cpus', 'memory' and 'gpus' with "
              "`sinfo -o '%P %c %m %G'`"},
    AdviceRow{"nvalid feature",
              "unknown feature in --constraint of 'extra': `sinfo -o '%P %f'` lists them"},
    AdviceRow{"time limit is invalid",
              "set 'time' of the profile within the limit of its partition: `sinfo -o '%P %l'`"},
    AdviceRow{"accounting/QOS policy",
              "a limit of the account or QOS, often on queued jobs: lower 'elements', or run the "
              "same command again when fewer are queued"},
    AdviceRow{"SubmitJob",
              "lower 'elements', or run the same command again when fewer jobs are queued"},
    AdviceRow{"nvalid job array",
              "arrays are limited more than `scontrol show config` says: lower "
              "'elements'"},
    AdviceRow{"unable to accept job", "the cluster's queue is full (MaxJobCount): try later"},
    AdviceRow{"group not permitted", "your groups may not use its partition: choose another"},
    AdviceRow{"ermission denied", "ask the administrators for access, or change the profile"},
    AdviceRow{"persistent connection",
              "slurmdbd, Slurm's accounting, does not answer: see `sacctmgr show cluster`"},
    AdviceRow{"timed out",
              "slurmctld is slow: run the same command again, which first checks "
              "whether the jobs were submitted",
              true},
    AdviceRow{"Zero Bytes",
              "the connection to slurmctld was lost: run the same command again, "
              "which first checks whether the jobs were submitted",
              true},
    AdviceRow{"Unable to contact slurm controller",
              "slurmctld does not answer: see `scontrol ping`, try later", true},
    AdviceRow{"Connection refused", "slurmctld does not answer: see `scontrol ping`, try later"},
    AdviceRow{"unge", "munge does not work on this host: see `munge -n | unmunge`"},
    AdviceRow{"uthentication", "munge does not work on this host: see `munge -n | unmunge`"},
    AdviceRow{"Could not establish a configuration source",
              "this host is not set up for Slurm: use a login node of the cluster"},
};

const AdviceRow* advice_row(std::string_view message) {
  for (const AdviceRow& row : kAdvice)
    if (message.find(row.message) != message.npos) return &row;
  return nullptr;
}

// The lines that a program printed about itself, without "sbatch: error: ", joined.
std::string said(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string line = text.substr(at, end - at);
    at = end + 1;
    if (const std::size_t mark = line.find("error: "); mark != line.npos) line.erase(0, mark + 7);
    if (!line.empty()) lines.push_back(line);
  }
  return lcsm::joined(lines, "; ");
}

[[noreturn]] void fail(const std::string& program, const CommandResult& result) {
  if (!result.started)
    throw SlurmError(
        "no " + program + " on this host: run on a login node of the cluster, or load its module",
        SlurmError::kAbsent);
  if (result.timed_out)
    throw SlurmError(program + " did not finish within " + std::to_string(kPatience.count()) +
                         " s: run the same command again, which first checks whether the jobs "
                         "were submitted",
                     SlurmError::kUnsure);
  std::string message = said(result.err.empty() ? result.out : result.err);
  if (message.empty()) message = "exit status " + std::to_string(result.exit_code);
  const AdviceRow* row = advice_row(message);
  throw SlurmError(
      program + ": " + message + (row == nullptr ? "" : ": " + std::string(row->advice)),
      row != nullptr && row->unsure ? SlurmError::kUnsure : SlurmError::kRefused);
}

CommandResult call(const std::vector<std::string>& words) {
  return run_command(words, kPatience, environment());
}

std::string answer(const std::vector<std::string>& words) {
  CommandResult result = call(words);
  if (!result.ok()) fail(words[0], result);
  return std::move(result.out);
}

std::string user_id() { return std::to_string(getuid()); }

bool is_over(const std::string& message) {
  for (const char* text : {"nvalid job id", "already completing", "already completed",
                           "Job/step already", "already finished"})
    if (message.find(text) != message.npos) return true;
  return false;
}

}  // namespace

std::vector<JobRow> queued_jobs() { return parse_squeue(queue_listing()); }

std::string queue_listing() {
  return answer({"squeue", "--noheader", "--states=all", "--user=" + user_id(),
                 std::string("--format=") + kSqueueFormat});
}

std::optional<std::vector<JobRow>> accounted_jobs(const std::vector<std::string>& jobs,
                                                  const std::string& name) {
  std::vector<std::string> words = {
      "sacct",         "--noheader",          "--parsable2",
      "--allocations", "--user=" + user_id(), std::string("--format=") + kSacctFormat};
  if (jobs.empty()) {
    words.push_back("--starttime=1970-01-01");
    words.push_back("--name=" + name);
  } else {
    words.push_back("--jobs=" + lcsm::joined(jobs, ","));
  }
  const CommandResult result = call(words);
  if (result.err.find("accounting storage is disabled") != result.err.npos) return std::nullopt;
  if (!result.ok()) fail("sacct", result);
  return parse_sacct(result.out);
}

ClusterConfig read_cluster_config() {
  const std::string text = answer({"scontrol", "show", "config"});
  try {
    return cluster_config(text);
  } catch (const std::runtime_error& error) {
    throw SlurmError(error.what(), SlurmError::kRefused);
  }
}

AccountLimits read_account_limits(const ClusterConfig& config, const std::string& account,
                                  const std::string& qos) {
  if (!config.accounting) return {};
  std::vector<std::string> assoc = {"sacctmgr", "-nP", "show", "assoc",
                                    std::string("format=") + kAssocFormat};
  const passwd* const entry = getpwuid(getuid());
  const char* const user = entry == nullptr ? nullptr : entry->pw_name;
  if (!account.empty())
    assoc.push_back("account=" + account);
  else if (user != nullptr)
    assoc.push_back(std::string("user=") + user);
  const std::string rows = answer(assoc);
  const std::string qos_rows =
      qos.empty() ? ""
                  : answer({"sacctmgr", "-nP", "show", "qos", std::string("format=") + kQosFormat});
  return account_limits(rows, qos_rows, account, user == nullptr ? "" : user, qos);
}

std::string submit_job(const std::vector<std::string>& options, const std::string& script) {
  std::vector<std::string> words = {"sbatch", "--parsable"};
  words.insert(words.end(), options.begin(), options.end());
  words.push_back(script);
  const CommandResult result = call(words);
  if (!result.ok()) fail("sbatch", result);
  if (const auto job = submitted_job(result.out)) return *job;
  throw SlurmError("expected a job's number from sbatch, got '" + first_line(result.out) +
                       "': run the same command again, which first checks whether it was submitted",
                   SlurmError::kUnsure);
}

void cancel_jobs(const std::vector<std::string>& jobs, bool waiting) {
  if (jobs.empty()) return;
  std::vector<std::string> words = {"scancel"};
  if (waiting) words.push_back("--state=PENDING");
  words.insert(words.end(), jobs.begin(), jobs.end());
  const CommandResult result = call(words);
  if (!result.ok() && !is_over(result.err)) fail("scancel", result);
}

}  // namespace runner
