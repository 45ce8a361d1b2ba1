// The least time that launches can take on a GPU: their counted work over its published rates.
// Nothing is measured; latencies, integer instructions and stalls are left out.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "lcsm/base/row_names.h"

namespace runner {

struct GpuModel {
  std::string_view name, help;
  int processors;
  double ghz;                    // boost clock
  double gbps;                   // of its memory
  double tflops_bf16;            // of tensor cores, dense; half of it in tf32
  double narrow, special, wide;  // lanes of a multiprocessor: float32, functions, float64
};

// Vendors' data sheets and white papers.
inline constexpr std::array kGpuModels = {
    GpuModel{"a100", "A100 SXM, 80 GB", 108, 1.410, 2039, 312, 64, 16, 32},
    GpuModel{"h100", "H100 SXM, 80 GB", 132, 1.980, 3350, 989.4, 128, 16, 64},
    GpuModel{"h200", "H200 SXM, 141 GB", 132, 1.980, 4800, 989.4, 128, 16, 64},
};

// Throws std::invalid_argument for an unknown name.
const GpuModel& gpu_model(const std::string& name);

// Counts of one launch; instructions are counted per warp.
struct LaunchCount {
  std::string kernel;
  double blocks = 0;
  double tensor = 0;      // floating-point operations on tensor cores, those in tf32 twice
  double narrow = 0;      // float32 instructions: sums, products, fused multiply-adds
  double special = 0;     // instructions: exponentials, logarithms, roots, quotients
  double wide = 0;        // instructions in float64
  double wavefronts = 0;  // of shared memory
  double ideal = 0;       // wavefronts without conflicts
  double accessed = 0;    // bytes of memory, as often as they are asked for
  double bytes = 0;       // each byte once, the minimum for any cache
};

struct Bound {
  double seconds = 0;
  std::string by;  // "memory", "tensor cores", "float32", "functions", "float64", "shared memory"
};
// The busiest multiprocessor has its share of whole blocks.
Bound bound_of(const LaunchCount& launch, const GpuModel& gpu);
// The bound for launches one after the other; `by` names the resource that bounds most of the time.
Bound bound_of(const std::vector<LaunchCount>& launches, const GpuModel& gpu);

}  // namespace runner
