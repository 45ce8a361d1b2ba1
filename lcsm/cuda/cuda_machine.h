// Decides which machine computes a plan on a GPU.
#pragma once

#include "lcsm/code/plan.h"
#include "lcsm/tape/scan_gate.h"

namespace lcsm {

// The plan's own machine, or the fused scan if the plan's kernels do not hold its rows. Throws
// std::invalid_argument if the GPU has no machine for it.
Machine cuda_machine_of(const Variant& variant, const Plan& plan);

// The gate of the fused scan on a GPU. For a memory of one row, the scan computes the whole gate.
ScanGate cuda_scan_gate(const Variant& variant, const Plan& plan);

}  // namespace lcsm
