// A running launch: warps, the block that they share, the launch that the blocks share.
#pragma once

#include <array>
#include <map>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "tests/ptx/counts.h"
#include "tests/ptx/findings.h"
#include "tests/ptx/memory.h"
#include "tests/ptx/program.h"

namespace ptx {

struct Size {
  unsigned x = 1, y = 1, z = 1;
  u64 total() const { return u64{x} * y * z; }
};

struct Options {
  u32 order = 0;    // 0: blocks and warps in sequence; any other number seeds a random order
  double ulps = 0;  // error of approximate functions, at most; see rows/approximate.cpp
  u64 limit = 200'000'000;  // warp instructions; more count as an endless loop
  bool check_races = true;
};

// Shared by all blocks.
struct Run {
  const Program& program;
  const Kernel& kernel;
  Memory& memory;
  Options options;
  Size grid, block;
  u64 shared_bytes = 0;  // static and dynamic
  std::vector<u8> parameters;
  Findings findings;
  Counts counts;
  std::vector<LineCounts> lines;  // by instruction
  std::mt19937 random;
  std::unordered_set<u64> read = {}, written = {};  // sectors
  std::map<u64, std::set<u32>> released;  // by address of an atomic: blocks whose writes it orders
};

struct Copy {  // of cp.async
  u64 to = 0;
  u8 data[16] = {};
  int bytes = 0;
  const Instruction* at = nullptr;
};

struct Block;

// Lanes that take one path, from instruction `at` until `end`, where they join the path below.
struct Path {
  u32 lanes, at, end;
};

struct Warp {
  Block* block = nullptr;
  int index = 0;
  u8* file = nullptr;  // registers, 32 values each
  u32 alive = 0;
  bool waiting = false;
  std::vector<Path> paths;              // the last runs
  std::vector<Copy> copies[32];         // issued, not yet waited for
  std::vector<std::size_t> groups[32];  // where committed groups of copies end
  std::vector<u8> local, local_written;

  template <class T>
  T* at(int place) {
    return reinterpret_cast<T*>(file + place);
  }
};

struct Barrier {
  struct Member {
    Warp* warp;
    bool waits;
    const Instruction* at;
    u32 lanes;
  };
  std::vector<Member> members;
  u32 arrived = 0, expected = 0;
  Clock::Known known = {};
  u32 count = 0, threads = 0;  // of bar.red: true predicates
};

struct Block {
  explicit Block(Run& whole);
  void start(u64 index);  // in the grid
  void run();

  // The bytes at an address, or null after a finding.
  u8* resolve(u64 address, int bytes, Access kind, Warp& warp, int lane, const Instruction& at);
  // Counts the request of a warp: addresses of the lanes in the mask. `phase` lanes are served at
  // once in shared memory, 0: as many as fit 128 bytes.
  void traffic(const u64* addresses, u32 mask, int bytes, bool writes, const Instruction& at,
               int phase = 0);
  void finding(Fault fault, const Instruction& at, const std::string& detail, int other = -1);
  void barrier(const Instruction& at, Warp& warp, u32 mask);
  // True if the lanes of an instruction's member mask are here.
  void need(const Instruction& at, Warp& warp, u32 mask, u32 members);
  void atomic_order(u64 address, const Instruction& at);

  Run& launch;
  const Kernel& kernel;
  u32 serial = 0;
  u64 index = 0;
  bool fenced = false;  // some thread has executed a fence for the device
  std::vector<u8> shared, shared_written;
  Cells cells;
  Shadow shadow;
  std::vector<Warp> warps;
  std::array<Barrier, 16> barriers;

 private:
  void start_warp(Warp& warp, unsigned threads);
  void fill_constants(Warp& warp);
  void fill_specials(Warp& warp);
  void run_warp(Warp& warp, u64 quantum);
  void execute(const Instruction& at, Warp& warp, u32 mask);
  void branch(const Instruction& at, Warp& warp, u32 mask, u32 taken);
  void leave(const Instruction& at, Warp& warp, u32 lanes);
  void arrive(Barrier& barrier, const Instruction& at, Warp& warp, u32 mask, bool waits);
  void complete(Barrier& barrier);
  bool release_stuck();
  void access(Cells& cells, u64 offset, int bytes, Access kind, Warp& warp, int lane,
              const Instruction& at);
  u8* in_shared(u64 offset, int bytes, Access kind, Warp& warp, int lane, const Instruction& at);
  u8* in_local(u64 offset, int bytes, Access kind, Warp& warp, int lane, const Instruction& at);
  u8* in_global(u64 address, int bytes, Access kind, Warp& warp, int lane, const Instruction& at);
  u8* touched(u8* data, u8* written, int bytes, Access kind, std::string_view name,
              const Instruction& at);

  std::vector<u8> files_;
};

// Groups the lanes of a mask by their member mask: tiles of a warp may reach an instruction
// together. Calls f(group, members) after checking that all members are here.
template <class F>
void groups_of(const Instruction& at, Warp& warp, int place, u32 mask, F f) {
  const u32* members = warp.at<u32>(place);
  while (mask != 0) {
    const u32 wanted = members[std::countr_zero(mask)];
    u32 group = 0;
    lanes(mask, [&](int lane) { group |= u32{members[lane] == wanted} << lane; });
    warp.block->need(at, warp, group, wanted);
    f(group, wanted);
    mask &= ~group;
  }
}

}  // namespace ptx
