// Writes the kernels of built-in scans as CUDA source: write_kernels FILE CODE ..., with codes such
// as "1-9-1" or "ssm", or "0-2-0-k1" for a memory of one row. The build runs it before nvcc.
#include <algorithm>
#include <fstream>
#include <iostream>

#include "lcsm/cuda/scan/built_in.h"

int main(int count, char** words) {
  std::string text;
  std::vector<lcsm::BuiltInScan> scans = lcsm::built_in_scans();
  for (lcsm::BuiltInScan& scan : lcsm::built_in_channel_scans()) scans.push_back(std::move(scan));
  for (int n = 2; n < count; ++n) {
    const auto found = std::find_if(scans.begin(), scans.end(), [&](const auto& scan) {
      return std::find(scan.codes.begin(), scan.codes.end(), words[n]) != scan.codes.end();
    });
    if (found == scans.end()) {
      std::cerr << "write_kernels: expected a code of the fused scan, got " << words[n] << "\n";
      return 1;
    }
    text += scan_kernels_text(found->tape, found->form);
  }
  std::ofstream file(count > 1 ? words[1] : "");
  if ((file << text).flush()) return 0;
  std::cerr << "write_kernels: expected FILE CODE ..., with a writable FILE\n";
  return 1;
}
