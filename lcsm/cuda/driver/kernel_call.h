// A launch of a kernel as data: what calls are made is decided without a driver, so tests can look
// at it.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

namespace lcsm {

// The number of parts of `size` in n, rounded up.
inline unsigned parts_of(long long n, int size) {
  return static_cast<unsigned>((n + size - 1) / size);
}

// The number of lanes that share a row of n numbers. A lane takes `unit` at a time. It is a power
// of two, at most a warp.
inline int lanes_of(long long n, int unit) {
  return static_cast<int>(std::min(32u, std::bit_ceil(parts_of(n, unit))));
}

inline bool is_aligned(const void* at, std::size_t bytes) {
  return reinterpret_cast<std::uintptr_t>(at) % bytes == 0;
}

struct KernelCall {
  std::string kernel;
  std::array<unsigned, 3> grid{1, 1, 1}, block{1, 1, 1};
  unsigned shared_bytes = 0;  // dynamic
  std::vector<std::byte> argument;
};
template <class Argument>
KernelCall call_of(const std::string& kernel, std::array<unsigned, 3> grid,
                   std::array<unsigned, 3> block, const Argument& argument) {
  KernelCall call{kernel, grid, block, 0, std::vector<std::byte>(sizeof argument)};
  std::memcpy(call.argument.data(), &argument, sizeof argument);
  return call;
}

// Memory of the device that lives until the calls have run.
using Allocate = std::function<void*(const char* what, std::size_t bytes)>;

}  // namespace lcsm
