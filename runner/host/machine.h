// What the machine offers a sweep beyond its processors: GPUs, Slurm, gnuplot, and the program that
// trains. Everything is asked at run time; nothing here is needed to link.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "runner/process/process_facts.h"

namespace runner {

// ----- GPUs, through the driver's management library -----

struct Gpu {
  std::string name, uuid;
  std::uint64_t memory_total = 0, memory_free = 0;  // bytes
};

struct Gpus {
  std::vector<Gpu> devices;
  std::string driver;  // "580.82.07"
  std::string reason;  // why there is none, empty when the library answered
};

Gpus find_gpus(const std::string& library = "libnvidia-ml.so.1");

// ----- Tools -----

struct Tool {
  bool found = false;
  std::string version;  // as the tool says it
  std::string trouble;  // why it cannot be used although it is there
};

Tool find_gnuplot();

struct Slurm {
  Tool sbatch;
  bool controller = false;  // slurmctld answered within the time limit
  std::string trouble;      // what was said instead
};

Slurm find_slurm();

// ----- lcsm-train -----

struct TrainProgram {
  std::filesystem::path path;  // beside this program
  bool starts = false;
  std::string version;                 // "lcsm-train 0.1.0 (...), LibTorch 2.11.0"
  std::string trouble;                 // what stopped it
  std::vector<std::string> libraries;  // "libtorch_cpu.so => /...", "... => not found"
  double seconds = 0;                  // to start, ask and end
};

TrainProgram find_train_program(const std::filesystem::path& folder = program_folder());

}  // namespace runner
