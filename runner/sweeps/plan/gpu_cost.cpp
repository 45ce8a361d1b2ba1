#include "runner/sweeps/plan/gpu_cost.h"

namespace runner {
namespace {

constexpr double kLayerSeconds = 4e-4;  // launches of small kernels
constexpr double kPasses = 7.2;         // that a step makes over what it keeps
constexpr double kScanRate = 2.2e13;    // FLOP/s

struct PrecisionRow {
  double bytes, product_rate;  // of a number; FLOP/s
};
// float32: three quarters of the data sheet's rate without tensor cores.
constexpr PrecisionRow kFloat32 = {4, 5e13}, kBfloat16 = {2, 1e15};

}  // namespace

double gpu_step_seconds(const RunCost& cost, const GpuKind& kind, GpuPrecision precision) {
  const PrecisionRow& row = precision == GpuPrecision::kBfloat16 ? kBfloat16 : kFloat32;
  return kLayerSeconds * cost.layer_passes +
         kPasses * cost.kept * row.bytes / kind.bytes_per_second +
         (cost.step_flops - cost.scan_flops) / row.product_rate + cost.scan_flops / kScanRate;
}

double gpu_seconds(const RunCost& cost, const GpuKind& kind, GpuPrecision precision) {
  if (cost.steps == 0) return cost.minutes * 60;
  return cost.flops / cost.step_flops * gpu_step_seconds(cost, kind, precision);
}

}  // namespace runner
