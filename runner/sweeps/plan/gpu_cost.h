// Estimates a run's cost on a GPU without measurements.
#pragma once

#include <cstdint>
#include <string_view>

#include "runner/sweeps/plan/run_cost.h"

namespace runner {

struct GpuKind {
  std::string_view name, title, help;
  double bytes_per_second;  // of elementwise operations
  double memory_bytes;
};
// From the vendor's data sheets, SXM.
inline constexpr GpuKind kGpuKinds[] = {{"h100", "H100", "NVIDIA H100 SXM, 80 GB", 3.35e12, 80e9},
                                        {"h200", "H200", "NVIDIA H200 SXM, 141 GB", 4.8e12, 141e9}};

enum class GpuPrecision : std::uint8_t { kFloat32, kBfloat16 };

// Seconds per training step. Fitted to measured steps on an H200 (tests/bench/gpu/), each within a
// factor of 2. Not measured: H100, and large models in float32.
double gpu_step_seconds(const RunCost& cost, const GpuKind& kind, GpuPrecision precision);
// Seconds for the whole run, with its evaluations.
double gpu_seconds(const RunCost& cost, const GpuKind& kind, GpuPrecision precision);

}  // namespace runner
