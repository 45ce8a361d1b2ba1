// The processors and memory that the operating system lets this process use. Respects affinity
// masks and control groups (containers, Slurm jobs), which the host's raw counts ignore.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace lcsm {

struct Allowance {
  int cores_online = 1;
  int cores_affinity = 1;          // processors in this process's mask
  double cores_quota = 0;          // processor-seconds per second, 0: no quota
  std::uint64_t memory_total = 0;  // bytes
  std::uint64_t memory_limit = 0;  // bytes, 0: no limit below memory_total
  std::uint64_t memory_free = 0;   // bytes available without swapping, within the limit

  int cores() const;  // worker threads worth starting, at least 1
};

// `root` is prepended to /proc and /sys; tests point it at a fake host.
Allowance read_allowance(const std::filesystem::path& root = "/");

// "Intel(R) Xeon(R) Processor", or "unknown".
std::string cpu_model(const std::filesystem::path& root = "/");

}  // namespace lcsm
