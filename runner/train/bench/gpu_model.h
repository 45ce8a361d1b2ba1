// The least time that launches can take on a GPU: their counted work over its published rates. A
// model: nothing is measured, and latencies, integers and waiting are left out.
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

// A row for "model:NAME"; throws std::invalid_argument.
const GpuModel& gpu_model(const std::string& device);

// What a launch does; instructions are those of a warp.
struct LaunchCount {
  std::string kernel;
  double blocks = 0;
  double tensor = 0;      // floating-point operations on tensor cores, those in tf32 twice
  double narrow = 0;      // instructions in float32: sums, products, both at once
  double special = 0;     // instructions: exponentials, logarithms, roots, quotients
  double wide = 0;        // instructions in float64
  double wavefronts = 0;  // of shared memory
  double ideal = 0;       // those without conflicts
  double accessed = 0;    // bytes of memory, as often as they are asked for
  double bytes = 0;       // the same once each, what no cache can save
};

struct Bound {
  double seconds = 0;
  std::string by;  // "memory", "tensor cores", "float32", "functions", "float64", "shared memory"
};
// The busiest multiprocessor has its share of whole blocks.
Bound bound_of(const LaunchCount& launch, const GpuModel& gpu);
// One after the other; `by` is what bounds most of the time.
Bound bound_of(const std::vector<LaunchCount>& launches, const GpuModel& gpu);

}  // namespace runner
