// Detects what this host offers besides processors: GPUs, tools and lcsm-train. Everything is
// looked up at run time; nothing is linked.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "runner/base/process/process_facts.h"

namespace runner {

// ----- GPUs, through the driver's management library (NVML) -----

struct Gpu {
  std::string name, uuid;
  std::uint64_t memory_total = 0, memory_free = 0;  // bytes
};

struct Gpus {
  std::vector<Gpu> devices;
  std::string driver;  // "580.82.07"
  std::string reason;  // why there are no devices; empty if there are
};

Gpus find_gpus(const std::string& library = "libnvidia-ml.so.1");

// ----- Tools -----

struct Tool {
  bool found = false;
  std::string version;  // as the tool prints it
  std::string trouble;  // why it was found but cannot be used
};

Tool find_tool(const std::string& program);

// ----- lcsm-train -----

struct TrainProgram {
  std::filesystem::path path;  // next to this program
  bool starts = false;
  std::string version;                 // "lcsm-train 0.1.0 (...), LibTorch 2.11.0"
  std::string trouble;                 // why the program did not start
  std::vector<std::string> libraries;  // "libtorch_cpu.so => /...", "... => not found"
  double seconds = 0;                  // to start and print its version
  std::string no_libtorch;  // in a package: why LibTorch was not found; the first run fetches it
};

TrainProgram find_train_program(const std::filesystem::path& folder = program_folder());

}  // namespace runner
