// Runs one statement on given bits, for tables of opcodes.
#pragma once

#include <string>

#include "tests/ptx/judge.h"

namespace ptx {

// `statement` names %d and %a %b %c, and predicates %p (a != 0) and %q. `widths` are the bytes of
// d, a, b, c as digits, 1 for a predicate; "4444" unless told.
struct Case {
  const char* statement;
  u64 expected;
  u64 a = 0, b = 0, c = 0;
  const char* widths = "4444";
};

std::string opcode_of(const Case& row);
u64 result_of(const Case& row, double ulps = 0);

// The text of a module with one kernel `k` of pointers p0 p1 p2 in %rd0 %rd1 %rd2; %r9 is the
// thread.
std::string module_of(const std::string& body, const std::string& declarations = "");

inline u64 bits(float x) { return std::bit_cast<u32>(x); }
inline u64 bits(double x) { return std::bit_cast<u64>(x); }

}  // namespace ptx
