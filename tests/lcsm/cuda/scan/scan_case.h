// A scan of random numbers, run by its kernels through the judge and by the CPU's machine in
// float64, which recurrence_machines_test holds against the definition.
#pragma once

#include <string>
#include <vector>

#include "lcsm/code/oscillation.h"
#include "lcsm/cuda/scan/scan_source.h"
#include "tests/lcsm/cuda/driver/judged_device.h"

namespace lcsm::test {

struct ScanShape {
  int B = 2, T = 1, K = 16, D = 16;
  int processors = 1;  // few: time is not split
  bool bfloat16 = false, first = false;
};

// A gate with its leaves: which of them vary over k.
struct ScanGateCase {
  Tape tape;
  std::vector<bool> over_k;
  ScanForm form;
  bool drifts = false;  // ScanCuda::drift is given
};

// The case of a built-in scan's code, without its activation; "0-2-0-k1" of a memory of one row.
ScanGateCase built_in(const std::string& code);
// A custom gate with two leaves over channels and two over rows, one of them over time alone, one
// over both axes, and a number.
ScanGateCase every_leaf();
// The case of a code whose memory is complex or read by weights; `mine` may be its oscillation.
ScanGateCase complex_case(const std::string& code, const OscillationText& mine = {});
// Static complex o, w and r, with a large drift.
ScanGateCase drifting_case();

// The kernels of a shape.
ScanForm form_of(const ScanGateCase& gate, const ScanShape& shape);

// Inputs by name: "i", "e", "s", "d_y", "leaf 0", ..., "m" and "d_m" where the case continues.
Named random_inputs(const ScanGateCase& gate, const ScanShape& shape, std::uint64_t seed);

// Results by name: "y", "m", "d i", "d e", "d s", "d leaf 0", ..., "d m".
Named by_cpu(const ScanGateCase& gate, const ScanShape& shape, const Named& inputs);

Judged by_judge(const ScanGateCase& gate, const ScanShape& shape, const Named& inputs,
                const Kernels& kernels, int orders, const ptx::Options& options = {});

}  // namespace lcsm::test
