#include "lcsm/base/allowance.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <optional>
#include <sstream>
#include <system_error>

namespace lcsm {
namespace {

namespace fs = std::filesystem;

std::string first_line(const fs::path& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  return line;
}

// Parses a number; nullopt for "max", a missing file, or anything else.
std::optional<double> number_in(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (end == text.c_str()) return std::nullopt;
  return value;
}

// This process's control group below the mount of `controller` (empty: the unified hierarchy, v2),
// as listed in "/proc/self/cgroup".
fs::path group_of(const fs::path& root, const std::string& controller) {
  std::ifstream in(root / "proc/self/cgroup");
  for (std::string line; std::getline(in, line);) {
    const auto first = line.find(':');
    const auto second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    std::string names(",");
    names.append(line, first + 1, second - first - 1).push_back(',');
    std::string wanted(",");
    wanted.append(controller).push_back(',');
    const bool mine = controller.empty() ? names == ",," : names.find(wanted) != std::string::npos;
    if (mine) return line.substr(second + 1);
  }
  return "/";
}

// Calls `look` for the group's folder and each of its parents: a limit on any of them applies. In a
// container the named folder may be hidden; the mount itself is then the group.
template <class Look>
void walk_up(const fs::path& mount, const fs::path& group, Look look) {
  fs::path below = group.relative_path();
  std::error_code ignored;
  if (!fs::exists(mount / below, ignored)) below.clear();
  for (;; below = below.parent_path()) {
    look(mount / below);
    if (below.empty()) return;
  }
}

void take_smaller(double& limit, double value) {
  if (value > 0 && (limit == 0 || value < limit)) limit = value;
}

double cores_quota(const fs::path& root) {
  double quota = 0;
  walk_up(root / "sys/fs/cgroup", group_of(root, ""), [&](const fs::path& folder) {
    std::istringstream in(first_line(folder / "cpu.max"));
    std::string most;
    double period = 0;
    if (in >> most >> period && period > 0)
      take_smaller(quota, number_in(most).value_or(0) / period);
  });
  walk_up(root / "sys/fs/cgroup/cpu", group_of(root, "cpu"), [&](const fs::path& folder) {
    const auto most = number_in(first_line(folder / "cpu.cfs_quota_us"));
    const auto period = number_in(first_line(folder / "cpu.cfs_period_us"));
    if (most && period && *period > 0) take_smaller(quota, *most / *period);
  });
  return quota;
}

// The tightest limit, and how much of it remains if the page cache counts as free.
struct MemoryLimit {
  double limit = 0, left = 0;
};

double cache_in(const fs::path& stat) {
  std::ifstream in(stat);
  std::string name;
  double value = 0;
  while (in >> name >> value)
    if (name == "inactive_file" || name == "total_inactive_file") return value;
  return 0;
}

MemoryLimit memory_limit(const fs::path& root, double total) {
  MemoryLimit found;
  const auto look = [&](const fs::path& folder, const char* limit_file, const char* used_file) {
    const double limit = number_in(first_line(folder / limit_file)).value_or(0);
    if (limit <= 0 || limit >= total) return;
    const double used = number_in(first_line(folder / used_file)).value_or(0);
    const double left = std::max(1.0, limit - used + cache_in(folder / "memory.stat"));
    take_smaller(found.limit, limit);
    take_smaller(found.left, std::min(left, limit));
  };
  walk_up(root / "sys/fs/cgroup", group_of(root, ""),
          [&](const fs::path& folder) { look(folder, "memory.max", "memory.current"); });
  walk_up(root / "sys/fs/cgroup/memory", group_of(root, "memory"), [&](const fs::path& folder) {
    look(folder, "memory.limit_in_bytes", "memory.usage_in_bytes");
  });
  return found;
}

double meminfo(const fs::path& root, const std::string& key) {
  std::ifstream in(root / "proc/meminfo");
  for (std::string line; std::getline(in, line);)
    if (line.starts_with(key + ":"))
      return 1024 * number_in(line.substr(key.size() + 1)).value_or(0);
  return 0;
}

int affinity() {
  // More processors than any host has, so that the call never fails for lack of space.
  constexpr int kMost = 1 << 16;
  cpu_set_t* set = CPU_ALLOC(kMost);
  const std::size_t size = CPU_ALLOC_SIZE(kMost);
  const int count = sched_getaffinity(0, size, set) == 0 ? CPU_COUNT_S(size, set) : 0;
  CPU_FREE(set);
  return count;
}

}  // namespace

int Allowance::cores() const {
  // Half a core rounds up: a thread that is throttled at times still runs while others wait.
  const int by_quota =
      cores_quota > 0 ? std::max(1, static_cast<int>(std::lround(cores_quota))) : cores_affinity;
  return std::max(1, std::min(cores_affinity, by_quota));
}

Allowance read_allowance(const fs::path& root) {
  Allowance a;
  a.cores_online = std::max(1, static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN)));
  a.cores_affinity = affinity();
  if (a.cores_affinity == 0) a.cores_affinity = a.cores_online;
  a.cores_quota = cores_quota(root);
  const double total = meminfo(root, "MemTotal");
  double free = meminfo(root, "MemAvailable");
  const MemoryLimit limit = memory_limit(root, total);
  if (limit.limit > 0) free = std::min(free, limit.left);
  a.memory_total = static_cast<std::uint64_t>(total);
  a.memory_limit = static_cast<std::uint64_t>(limit.limit);
  a.memory_free = static_cast<std::uint64_t>(free);
  return a;
}

std::string cpu_model(const fs::path& root) {
  std::ifstream in(root / "proc/cpuinfo");
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("model name") && line.find(": ") != std::string::npos)
      return line.substr(line.find(": ") + 2);
  return "unknown";
}

}  // namespace lcsm
