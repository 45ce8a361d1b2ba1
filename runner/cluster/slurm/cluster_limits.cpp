#include "runner/cluster/slurm/cluster_limits.h"

#include <algorithm>
#include <stdexcept>

#include "lcsm/base/words.h"
#include "results/text/number_text.h"

namespace runner {
namespace {

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(separator, at), text.size());
    parts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

std::int64_t number(std::string_view text, std::int64_t otherwise) {
  const auto value = results::whole_number_in(text);
  return value && *value >= 0 ? *value : otherwise;
}

// "KEY = VALUE" of the configuration; "" if it is not there.
std::string_view setting(std::string_view config, std::string_view key) {
  for (const std::string_view line : split(config, '\n')) {
    if (!line.starts_with(key)) continue;
    const std::size_t at = line.find_first_not_of(' ', key.size());
    if (at == line.npos || line[at] != '=') continue;
    return lcsm::trimmed(line.substr(at + 1), " \r");
  }
  return "";
}

std::int64_t max_array_size(std::string_view config) {
  const std::string_view text = setting(config, "MaxArraySize");
  if (const std::int64_t size = number(text, -1); size >= 0) return size;
  throw std::runtime_error(
      text.empty() ? "'scontrol show config' names no MaxArraySize: check that slurmctld responds"
                   : "expected a number as MaxArraySize of 'scontrol show config', got '" +
                         std::string(text) + "'");
}

void lower(std::int64_t* limit, std::string_view text) {
  const std::int64_t value = number(text, -1);
  if (value >= 0) *limit = *limit < 0 ? value : std::min(*limit, value);
}

// "cpu=64,gres/gpu=4".
void add_resources(std::string_view text, std::map<std::string, std::string>* into) {
  for (const std::string_view part : split(text, ','))
    if (const std::size_t at = part.find('='); at != part.npos)
      into->insert_or_assign(std::string(part.substr(0, at)), std::string(part.substr(at + 1)));
}

bool concerns(std::string_view value, const std::string& name) {
  return name.empty() || value.empty() || value == name;
}

}  // namespace

ClusterConfig cluster_config(std::string_view text) {
  ClusterConfig config{.array_size = max_array_size(text),
                       .accounting = setting(text, "AccountingStorageType").ends_with("slurmdbd")};
  constexpr std::string_view kTasks = "max_array_tasks=";
  for (const std::string_view each : split(setting(text, "SchedulerParameters"), ','))
    if (each.starts_with(kTasks)) config.array_tasks = number(each.substr(kTasks.size()), 0);
  return config;
}

AccountLimits account_limits(std::string_view assoc, std::string_view qos,
                             const std::string& account, const std::string& user,
                             const std::string& qos_name) {
  AccountLimits limits;
  for (const std::string_view line : split(assoc, '\n')) {
    const auto fields = split(line, '|');
    if (fields.size() < 6 || !concerns(fields[0], account) || !concerns(fields[1], user)) continue;
    if (!fields[1].empty()) lower(&limits.submit, fields[2]);  // MaxSubmit holds for each user
    lower(&limits.submit, fields[3]);
    add_resources(fields[4], &limits.of_account);
    add_resources(fields[5], &limits.of_account);
  }
  for (const std::string_view line : split(qos, '\n')) {
    const auto fields = split(line, '|');
    if (fields.size() < 5 || qos_name.empty() || fields[0] != qos_name) continue;
    lower(&limits.submit, fields[1]);
    lower(&limits.submit, fields[2]);
    add_resources(fields[3], &limits.of_qos);
    add_resources(fields[4], &limits.of_qos);
  }
  return limits;
}

std::vector<std::int64_t> arrays_for(std::int64_t elements, const ClusterConfig& config,
                                     const AccountLimits& limits, std::int64_t queued) {
  if (limits.submit >= 0) elements = std::min(elements, limits.submit - queued);
  if (elements < 1)
    throw std::invalid_argument("expected room for another job in the queue, got " +
                                std::to_string(queued) + " of at most " +
                                std::to_string(limits.submit) +
                                " jobs (MaxSubmit of the account or QOS): run the same "
                                "command again when fewer are queued");
  const std::int64_t most =
      config.array_tasks > 0 ? std::min(config.array_tasks, config.array_size) : config.array_size;
  if (most < 2)
    throw std::invalid_argument("this cluster accepts no job arrays (MaxArraySize is " +
                                std::to_string(most) +
                                "): ask its administrators to raise MaxArraySize");
  const std::int64_t arrays = (elements + most - 1) / most;
  std::vector<std::int64_t> sizes;
  for (std::int64_t i = 0; i < arrays; ++i)
    sizes.push_back(elements / arrays + (i < elements % arrays ? 1 : 0));
  return sizes;
}

std::string resource_text(std::string_view resource, const std::string& number) {
  if (resource.empty() || number.empty()) return "";
  const std::string end = number == "1" ? "" : "s";
  if (resource == "gres/gpu") return number + " GPU" + end;
  if (resource == "cpu") return number + " CPU" + end;
  if (resource == "node") return number + " node" + end;
  return number + " of " + std::string(resource == "mem" ? "memory" : resource);
}

}  // namespace runner
