// Measures the peak rates of this host: matrix products and copies. Benches divide by these
// numbers, and `lcsm-train doctor` shows them.
#pragma once

#include <string>
#include <vector>

namespace lcsm {

class Cuda;

struct Rate {
  std::string device;  // "cpu", "cuda:0"
  int threads = 0;     // 0 on a GPU
  std::string what;    // "matmul", "copy" (ordinary stores), "copy-streaming" (non-temporal)
  std::string dtype;   // "fp32", "fp64", "bf16"; empty for copies
  std::string by;      // the code's owner: "at::mm", "lcsm"
  std::string size;    // "1024x1024x1024", "256 MiB"
  std::string unit;    // "GFLOP/s" (2 n^3 per product), "GB/s" (bytes read + bytes written)
  double best = 0;     // the fastest repeat
  double median = 0;
  int repeats = 0;
};

struct CeilingOptions {
  bool quick = false;      // small sizes, few repeats: shows that it works, not the true rates
  int threads = 1;         // what "all threads" means; 1 and this many are measured
  bool one_thread = true;  // false: only this many
  double seconds = 0.4;    // for each row of the CPU, unless quick
};

// Each product is checked against float64 before it is timed; a wrong one throws
// std::runtime_error. The number of LibTorch's threads is restored afterwards.
std::vector<Rate> cpu_ceilings(const CeilingOptions& options);
std::vector<Rate> cuda_ceilings(const Cuda& cuda, const CeilingOptions& options);

}  // namespace lcsm
