// Counts the exact cost of a launch, over all warps and by instruction.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tests/ptx/numbers.h"

namespace ptx {

// Requests are a warp's instructions. A wavefront is one service of shared memory, a sector 32
// bytes of global memory. `ideal` is the number without conflicts and gaps.
struct Traffic {
  u64 requests = 0, used = 0, ideal = 0, bytes = 0;
  void add(const Traffic& other) {
    requests += other.requests;
    used += other.used;
    ideal += other.ideal;
    bytes += other.bytes;
  }
};

struct LineCounts {
  int line = 0;
  std::string source, text;
  u64 executed = 0;  // warp instructions
  Traffic shared, global;
};

struct Counts {
  u64 instructions = 0, blocks = 0;
  std::map<std::string, u64> by_opcode;
  Traffic shared;                       // wavefronts
  Traffic global_read, global_write;    // sectors; atomics are writes
  u64 read_once = 0, written_once = 0;  // distinct sectors, the minimum with any cache
  std::vector<LineCounts> lines;        // executed ones, in the order of the PTX
};

}  // namespace ptx
