// What a recurrence costs on a GPU that is not there: its launches counted by the judge of kernels,
// their least times by gpu_model.h.
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

// Counts one sequence, with time split as among all of them, and takes it for each. Throws
// std::runtime_error where the counting program is missing or has failed.
ModelledCase modelled(const std::string& code, const BenchShape& shape,
                      const ModelSetting& setting);
// What that program prints for one sequence, of a case of `sequences`.
ModelledCase modelled(const nlohmann::json& counts, double sequences);

// ----- Table and JSON (schema lcsm-train.bench-eos-model/1) -----
std::string model_heading(const ModelSetting& setting);
std::string model_shape_heading(const BenchShape& shape, std::size_t code_width);
std::string model_rows(const ModelSetting& setting, const ModelledCase& of, std::size_t code_width);
nlohmann::ordered_json model_json(const ModelSetting& setting, const ModelledCase& of);

}  // namespace runner
