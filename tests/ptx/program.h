// A translated PTX module: kernels as lists of instructions whose operands are places in a register
// file.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tests/ptx/numbers.h"

namespace ptx {

enum class Type : u8 {
  kNone,
  kPred,
  kB8,
  kB16,
  kB32,
  kB64,
  kU8,
  kU16,
  kU32,
  kU64,
  kS8,
  kS16,
  kS32,
  kS64,
  kF16,
  kBf16,
  kF16x2,
  kBf16x2,
  kTf32,
  kF32,
  kF64
};

int bytes_of(Type type);
bool is_float(Type type);
bool is_signed(Type type);
Type type_named(const std::string& name);  // kNone when it names no type

enum class Space : u8 { kGeneric, kGlobal, kShared, kLocal, kParam };

// The action of a warp's loop after an instruction.
enum class Flow : u8 { kNext, kBranch, kExit, kBarrier };

struct Warp;
struct Instruction;
using Step = void (*)(const Instruction&, Warp&, u32 mask);

struct Instruction {
  Step step = nullptr;
  Flow flow = Flow::kNext;
  int at[20] = {};    // operands: where the 32 values begin in the register file
  u8 width[20] = {};  // and the bytes of each
  int operands = 0;
  int predicate = -1;
  bool negated = false;
  // Memory: `[at[address] + offset]`, an address of 4 or 8 bytes.
  int address = 0;
  i64 offset = 0;
  Space space = Space::kGeneric;
  Type type = Type::kNone, second = Type::kNone;
  u8 vector = 1, bytes = 0;
  bool read_only = false, releases = false;
  bool inverted = false;  // a predicate operand written !%p
  Rounding rounding = Rounding::kNearest;
  bool saturate = false, flush = false;
  int choice = 0;                      // of the row: a comparison, a mode, a count
  int target = 0;                      // of a branch
  u32 meets = 0;                       // where both paths from a branch meet again
  std::shared_ptr<Instruction> inner;  // the plain instruction under modifiers
  int opcode = 0;                      // into Program::opcodes
  int line = 0;                        // in the PTX
  std::string text, source;            // as written; file:line of the CUDA source
};

struct Parameter {
  std::string name;
  int offset = 0, bytes = 0;
};

struct Constant {
  int at = 0, bytes = 0;
  u64 value = 0;
};

struct Special {
  int at = 0;
  std::string name;
};

struct Kernel {
  std::string name;
  std::vector<Parameter> parameters;
  std::vector<Instruction> code;
  std::vector<Constant> constants;  // written into every lane when a warp starts
  std::vector<Special> specials;
  int parameter_bytes = 0, file_bytes = 0, shared_bytes = 0, local_bytes = 0;
  u64 most_threads = 1024;  // of a block, by __launch_bounds__
  u64 piece = 4;  // bytes of the narrowest memory access, at most 4: the granularity of shadows
};

// Finds where the paths from each branch meet: the first instruction on all paths to an end, or one
// past the last instruction.
void find_meetings(Kernel& kernel);

struct Program {
  std::string name;
  std::vector<Kernel> kernels;
  std::vector<std::string> opcodes;
  std::vector<std::pair<std::string, u64>> arrays;  // of the module: name, device address

  const Kernel& kernel(const std::string& name) const;  // throws with a list of the kernels
  u64 array(const std::string& name) const;
};

}  // namespace ptx
