// Lists the scans of the built-in oscillations.
#pragma once

#include <string>
#include <vector>

#include "lcsm/cuda/scan/scan_source.h"

namespace lcsm {

struct BuiltInScan {
  std::string name;                // scan_kernels_name
  std::vector<std::string> codes;  // that run on it, without the activation: "1-9-1", "1-6-1"
  Tape tape;
  std::vector<bool> over_k;  // which of its leaves vary over k
  ScanForm form;
};

// The scans, each once, in the order of the table.
std::vector<BuiltInScan> built_in_scans();
// The scans of a memory of one row: "0-2-0-k1".
std::vector<BuiltInScan> built_in_channel_scans();

}  // namespace lcsm
