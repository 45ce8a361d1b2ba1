#include "lcsm/cuda/cuda_machine.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "lcsm/cuda/chunk/chunk_calls.h"
#include "lcsm/cuda/modes/modes_cuda.h"
#include "lcsm/cuda/scan/scan_calls.h"
#include "lcsm/tape/complex_gate.h"

namespace lcsm {
namespace {

[[noreturn]] void refuse(const Variant& variant, const std::string& what) {
  throw std::invalid_argument("oscillation " + variant.oscillation.name + " on a GPU: " + what +
                              "; run it on the CPU");
}

auto leaves_of(const Tape& tape) {
  return std::count_if(tape.values.begin(), tape.values.end(),
                       [](const TapeValue& value) { return value.leaf >= 0; });
}

}  // namespace

ScanGate cuda_scan_gate(const Variant& variant, const Plan& plan) {
  if (variant.sizes.k == 1 && !plan.rotates)
    if (ScanGate gate = scan_gate(variant, true);
        leaves_of(gate.tape) <= kScanMostLeaves && scans_channels(gate.tape, 1))
      return gate;
  return scan_gate(variant);
}

Machine cuda_machine_of(const Variant& variant, const Plan& plan) {
  const int rows = variant.sizes.k * (plan.rotates ? 2 : 1);
  if (plan.machine == Machine::kModes && rows <= kModesMost) return Machine::kModes;
  if (plan.machine == Machine::kChunk && rows <= kChunkMostRows) return Machine::kChunk;
  if (plan.machine == Machine::kDelta && rows <= kChunkMostRows) return Machine::kDelta;
  if (plan.machine == Machine::kDelta)
    refuse(variant, "expected at most " + std::to_string(kChunkMostRows) +
                        " rows for the delta rule, got k = " + std::to_string(rows));
  const bool is_complex = variant.oscillation.read || (plan.is_complex && !plan.rotates);
  const Tape tape =
      is_complex ? complex_gate(variant, variant.s_static() && !variant.has_unit_stages()).tape
                 : cuda_scan_gate(variant, plan).tape;
  const auto leaves = leaves_of(tape);
  if (leaves > kScanMostLeaves)
    refuse(variant, "expected a gate of at most " + std::to_string(kScanMostLeaves) +
                        " inputs, got " + std::to_string(leaves));
  return is_complex ? Machine::kComplex : Machine::kScan;
}

}  // namespace lcsm
