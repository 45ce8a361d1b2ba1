// Estimates what a run costs on a GPU that nobody has measured it on.
#pragma once

#include <cstdint>
#include <string_view>

#include "runner/sweeps/plan/run_cost.h"

namespace runner {

struct GpuKind {
  std::string_view name, title, help;
  double bytes_per_second;  // that an elementwise operation moves
  double memory_bytes;
};
// Those of the vendor's data sheet, SXM.
inline constexpr GpuKind kGpuKinds[] = {{"h100", "H100", "NVIDIA H100 SXM, 80 GB", 3.35e12, 80e9},
                                        {"h200", "H200", "NVIDIA H200 SXM, 141 GB", 4.8e12, 141e9}};

enum class GpuPrecision : std::uint8_t { kFloat32, kBfloat16 };

// Of one training step. Fitted to steps that were measured on an H200 (tests/bench/gpu/), each of
// which it meets within a factor of 2. None was measured on an H100, and no large one in float32.
double gpu_step_seconds(const RunCost& cost, const GpuKind& kind, GpuPrecision precision);
// Of the whole run, with its evaluations.
double gpu_seconds(const RunCost& cost, const GpuKind& kind, GpuPrecision precision);

}  // namespace runner
