// Models a recurrence on a GPU that this host lacks: a program counts the work of its launches on
// the CPU, and gpu_model.h gives their least times.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "runner/train/bench/bench_eos_case.h"
#include "runner/train/bench/gpu_model.h"

namespace runner {

struct ModelledPass {
  std::vector<LaunchCount> launches;
  double least_bytes = 0;  // inputs and results, each once
};

struct ModelledCase {
  std::string code, machine;
  BenchShape shape;
  ModelledPass forward, both;
};

struct ModelSetting {
  std::string dtype;
  std::vector<std::string> files;  // with custom oscillations
  const GpuModel* gpu = nullptr;
};

// Counts one sequence, with time split as among all of them, and uses the counts for each. Throws
// std::runtime_error if the counting program is missing or has failed.
ModelledCase modelled(const std::string& code, const BenchShape& shape,
                      const ModelSetting& setting);
// Scales what the counting program prints for one sequence to a case of `sequences`.
ModelledCase modelled(const nlohmann::json& counts, double sequences);

// ----- Table and JSON (schema lcsm-train.bench-eos-model/1) -----
std::string model_heading(const ModelSetting& setting);
std::string model_shape_heading(const BenchShape& shape, std::size_t code_width);
std::string model_rows(const ModelSetting& setting, const ModelledCase& of, std::size_t code_width);
nlohmann::ordered_json model_json(const ModelSetting& setting, const ModelledCase& of);

}  // namespace runner
