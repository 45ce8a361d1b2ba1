#include "runner/cluster/slurm/job_rows.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <span>

#include "lcsm/base/words.h"
#include "results/text/number_text.h"

namespace runner {
namespace {

// ----- Ids -----

constexpr std::int64_t kMostTask = 4'000'001;  // the largest MaxArraySize that Slurm allows

std::optional<std::int64_t> number(std::string_view text) {
  const auto value = results::whole_number_in(text);
  return value && *value >= 0 ? value : std::nullopt;
}

// "4", "0-40", "0-40:8".
bool add_range(std::string_view text, std::vector<std::int64_t>* tasks) {
  std::string_view range = lcsm::take_until(&text, ':');
  const auto step = text.empty() ? 1 : number(text);
  const auto first = number(lcsm::take_until(&range, '-'));
  const auto last = range.empty() ? first : number(range);
  if (!first || !last || !step || *step < 1 || *last < *first || *last > kMostTask) return false;
  for (std::int64_t task = *first; task <= *last; task += *step) tasks->push_back(task);
  return true;
}

bool read_tasks(std::string_view text, JobId* id) {
  if (!text.starts_with('[')) return add_range(text, &id->tasks);
  if (!text.ends_with(']')) return false;
  text = text.substr(1, text.find_first_of("%]") - 1);
  while (!text.empty()) {
    const std::string_view part = lcsm::take_until(&text, ',');
    if (part != "..." && !add_range(part, &id->tasks)) return false;
  }
  std::ranges::sort(id->tasks);
  return true;
}

// ----- States -----

using enum JobPhase;

constexpr JobStateRow kUnknownState{"UNKNOWN", "", kUnclear};

// job_state_string of Slurm 16.05 to 25.05.
constexpr std::array kStates = {
    JobStateRow{"PENDING", "PD", kWaiting},       JobStateRow{"RUNNING", "R", kRunning},
    JobStateRow{"SUSPENDED", "S", kRunning},      JobStateRow{"COMPLETED", "CD", kEnded},
    JobStateRow{"CANCELLED", "CA", kEnded},       JobStateRow{"FAILED", "F", kEnded},
    JobStateRow{"TIMEOUT", "TO", kEnded},         JobStateRow{"NODE_FAIL", "NF", kEnded},
    JobStateRow{"PREEMPTED", "PR", kEnded},       JobStateRow{"BOOT_FAIL", "BF", kEnded},
    JobStateRow{"DEADLINE", "DL", kEnded},        JobStateRow{"OUT_OF_MEMORY", "OOM", kEnded},
    JobStateRow{"LAUNCH_FAILED", "LF", kEnded},   JobStateRow{"RECONFIG_FAIL", "RC", kEnded},
    JobStateRow{"REVOKED", "RV", kEnded},         JobStateRow{"CONFIGURING", "CF", kWaiting},
    JobStateRow{"POWER_UP_NODE", "PU", kWaiting}, JobStateRow{"COMPLETING", "CG", kRunning},
    JobStateRow{"RESIZING", "RS", kRunning},      JobStateRow{"SIGNALING", "SI", kRunning},
    JobStateRow{"STAGE_OUT", "SO", kRunning},     JobStateRow{"STOPPED", "ST", kRunning},
    JobStateRow{"EXPEDITING", "EX", kWaiting},    JobStateRow{"REQUEUED", "RQ", kWaiting},
    JobStateRow{"REQUEUE_FED", "RF", kWaiting},   JobStateRow{"REQUEUE_HOLD", "RH", kWaiting},
    JobStateRow{"RESV_DEL_HOLD", "RD", kWaiting}, JobStateRow{"SPECIAL_EXIT", "SE", kWaiting},
};

bool same(std::string_view text, std::string_view name) {
  const auto equal = [](unsigned char a, unsigned char b) { return std::toupper(a) == b; };
  return std::ranges::equal(text, name, equal);
}

// ----- Rows -----

using Field = std::string JobRow::*;

// The fields after the id and the state.
constexpr std::array<Field, 7> kSqueueFields = {&JobRow::reason,  &JobRow::node, &JobRow::start,
                                                &JobRow::account, &JobRow::qos,  &JobRow::name,
                                                &JobRow::comment};
constexpr std::array<Field, 6> kSacctFields = {&JobRow::node, &JobRow::start, &JobRow::account,
                                               &JobRow::qos,  &JobRow::name,  &JobRow::comment};

std::string value_of(std::string_view text) {
  for (const char* none : {"(null)", "N/A", "Unknown", "None assigned"})
    if (text == none) return "";
  return std::string(text);
}

// The last field takes the rest of the line: a comment may contain '|'.
std::optional<JobRow> row_of(std::string_view line, std::span<const Field> fields) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (static_cast<std::size_t>(std::ranges::count(line, '|')) < fields.size() + 1)
    return std::nullopt;
  const std::optional<JobId> id = parse_job_id(lcsm::take_until(&line, '|'));
  if (!id) return std::nullopt;
  JobRow row;
  row.id = *id;
  row.state = &job_state(lcsm::take_until(&line, '|'));
  for (const Field field : fields.first(fields.size() - 1))
    row.*field = value_of(lcsm::take_until(&line, '|'));
  row.*fields.back() = value_of(line);
  return row;
}

std::vector<JobRow> rows_of(std::string_view text, std::span<const Field> fields) {
  std::vector<JobRow> rows;
  while (!text.empty())
    if (auto row = row_of(lcsm::take_until(&text, '\n'), fields)) rows.push_back(std::move(*row));
  return rows;
}

}  // namespace

std::optional<JobId> parse_job_id(std::string_view text) {
  JobId id;
  std::string_view rest = text;
  const std::string_view job = lcsm::take_until(&rest, '_');
  id.job = job.substr(0, job.find('+'));
  id.is_array = job.size() < text.size();
  if (!number(id.job) || (id.is_array && !read_tasks(rest, &id))) return std::nullopt;
  return id;
}

std::optional<std::string> submitted_job(std::string_view output) {
  std::optional<std::string> job;
  while (!output.empty()) {
    std::string_view line = lcsm::take_until(&output, '\n');
    line = line.substr(0, line.find_last_not_of(" \r") + 1);
    const std::string_view word = line.substr(0, line.find(';'));
    if (number(word)) job = word;
  }
  return job;
}

const JobStateRow& job_state(std::string_view text) {
  const std::string_view word = text.substr(0, text.find_first_of(" +,"));
  for (const JobStateRow& row : kStates)
    if (same(word, row.name) || same(word, row.letters)) return row;
  constexpr std::size_t kLeast = 6;  // letters of a name that a column cut off
  for (const JobStateRow& row : kStates)
    if (text.ends_with('+') && word.size() >= kLeast && same(word, row.name.substr(0, word.size())))
      return row;
  return kUnknownState;
}

std::vector<JobRow> parse_squeue(std::string_view text) { return rows_of(text, kSqueueFields); }
std::vector<JobRow> parse_sacct(std::string_view text) { return rows_of(text, kSacctFields); }

}  // namespace runner
