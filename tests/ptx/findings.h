// The faults of a launch, each with its kernel, its line of the PTX and its line of the source.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "tests/ptx/program.h"

namespace ptx {

enum class Fault : u8 {
  kRace,       // two accesses that no barrier orders
  kUnwritten,  // a read of unwritten memory
  kOutOfBounds,
  kMisaligned,
  kReadOnly,    // a write to protected memory; ld.global.nc of what the launch writes
  kInFlight,    // data of cp.async before its wait
  kDivergence,  // a barrier or a warp operation that some of its threads do not reach
  kStuck,       // barriers that never complete, or more instructions than allowed
  kOrder        // another order of blocks and warps gives another result
};

const char* name_of(Fault fault);

struct Finding {
  Fault fault;
  std::string kernel;
  int line = 0;        // of the PTX
  std::string source;  // of CUDA, with -lineinfo
  std::string text;    // a sentence with all of these
  u64 times = 0;
};

class Findings {
 public:
  // `detail` distinguishes findings at one instruction.
  void add(Fault fault, const Kernel& kernel, const Instruction& at, const std::string& detail,
           const Instruction* other = nullptr);
  std::vector<Finding> list() const;

 private:
  using Key = std::tuple<Fault, const Instruction*, const Instruction*, std::string>;
  std::map<Key, std::size_t> places_;
  std::vector<Finding> all_;
};

}  // namespace ptx
