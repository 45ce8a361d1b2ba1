// The judge of kernels: executes PTX from nvcc or NVRTC, a warp at a time, and reports faults and
// costs. See tests/README.md for how to use it.
#pragma once

#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "tests/ptx/machine.h"
#include "tests/ptx/reader.h"

namespace ptx {

// A kernel's argument, byte by byte as the driver receives it.
struct Argument {
  template <class T>
  Argument(const T& value) : bytes(sizeof(T)) {  // NOLINT: arguments are written as values
    std::memcpy(bytes.data(), &value, sizeof(T));
  }
  template <class T>
  Argument(const Array<T>& array) : Argument(array.address()) {}  // NOLINT
  std::vector<u8> bytes;
};

struct Launch {
  std::string kernel;
  Size grid, block;
  u64 shared_bytes = 0;  // dynamic
  std::vector<Argument> arguments;
};

struct Report {
  Counts counts;
  std::vector<Finding> findings;

  // All findings as lines, for messages of tests; "" if there are none.
  std::string text() const;
  const Finding* find(Fault fault) const;
};

// Throws if the launch cannot start: unknown kernel, or wrong number or size of arguments.
Report run(const Program& program, Memory& memory, const Launch& launch,
           const Options& options = {});

// Like run(), then repeats from equal memory in other orders of blocks and warps. Bytes that differ
// are findings of Fault::kOrder. Memory keeps the first run's results.
Report run_in_orders(const Program& program, Memory& memory, const Launch& launch, int orders,
                     Options options = {});

}  // namespace ptx
