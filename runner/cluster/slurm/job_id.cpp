#include "runner/cluster/slurm/job_id.h"

#include <algorithm>
#include <charconv>

#include "lcsm/base/words.h"

namespace runner {
namespace {

constexpr std::int64_t kMostTask = 4'000'001;  // the largest MaxArraySize that Slurm allows

std::optional<std::int64_t> number(std::string_view text) {
  std::int64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || rest != end || value < 0) return std::nullopt;
  return value;
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
    if (part == "...")
      id->cut_off = true;
    else if (!add_range(part, &id->tasks))
      return false;
  }
  std::ranges::sort(id->tasks);
  return true;
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

}  // namespace runner
