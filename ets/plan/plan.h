// Decides which machine computes a filter, and why, from its shape and measured costs. Needs no
// tensors.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace ets {

enum class FilterMachine : std::uint8_t {
  kReference,  // the definition
  kFastest,    // the fastest of the machines below
  kModes,      // sums of modes by recurrence
  kFft,        // kernels by fast Fourier transform
  kShared,     // modes that all channels share, by one scan for them all
};

struct FilterMachineRow {
  FilterMachine machine;
  std::string_view name, help;
};
std::span<const FilterMachineRow> machine_rows();
std::string_view to_string(FilterMachine machine);

// Null if there is none of that name.
const FilterMachineRow* machine_named(std::string_view name);

// The planner's view of a filter.
struct FilterShape {
  std::int64_t B = 1, T = 1, directions = 1;
  std::int64_t modes = 0;  // per channel and direction; 0: none, only a kernel
  bool is_complex = false;
  std::int64_t kernel = 0;   // its steps if it ends before the sequence; otherwise 0
  std::int64_t lasting = 0;  // modes of all directions that outlast the kernel
};

// Nanoseconds per step and channel, forward and backward, for kModes or kFft.
double cost_of(FilterMachine machine, const FilterShape& shape);

struct Choice {
  FilterMachine machine;
  std::string why;  // "32 complex modes: fft takes 3.9 ns per step and channel, modes 4.5"
};
Choice choose(const FilterShape& shape);

}  // namespace ets
