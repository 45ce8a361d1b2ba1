// Where the time of a step goes: the operations of LibTorch and ours that one thread calls.
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
  // What it reads and writes once, without views; 0 where its inputs are not given. FLOP of
  // products only.
  double bytes = 0, flops = 0;
};

// While an instance lives, the operations of its thread are recorded. One at a time in a thread.
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

// The rows of at least 1 % of `seconds`, the others as one, and what is outside of all operations.
// `steps`: how many were recorded in these seconds; times and counts are of one. The last column is
// the time that products at `gflops` or copies at `gbps` would take, as a share of the row's.
std::string profile_table(std::vector<ProfileRow> rows, double seconds, double steps, double gflops,
                          double gbps);

}  // namespace runner
