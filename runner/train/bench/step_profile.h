// Profiles a step: the operations of LibTorch and ours that one thread calls.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace runner {

struct ProfileRow {
  std::string operation;  // "aten::add", "ChunkMachine", "backward of ChunkMachine"
  std::int64_t calls = 0;
  double seconds = 0;  // without the operations that it calls
  // Bytes read and written once, without views; 0 if the inputs are unknown. FLOP of products only.
  double bytes = 0, flops = 0;
};

// Records the operations of its thread during its lifetime. At most one instance per thread.
class StepProfile {
 public:
  StepProfile();
  ~StepProfile();
  StepProfile(const StepProfile&) = delete;
  StepProfile& operator=(const StepProfile&) = delete;

  std::vector<ProfileRow> rows() const;  // the longest first

 private:
  struct Recorder;
  std::unique_ptr<Recorder> recorder_;
};

// The rows of at least 1 % of `seconds`, the others as one row, and the time outside of all
// operations. `steps`: the number of recorded steps; times and counts are per step. The last column
// is the time that products at `gflops` or copies at `gbps` would take, as a share of the row's
// time.
std::string profile_table(std::vector<ProfileRow> rows, double seconds, double steps, double gflops,
                          double gbps);

}  // namespace runner
