#include "ets/plan/plan.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "lcsm/base/row_names.h"
#include "lcsm/base/words.h"

namespace ets {
namespace {

constexpr std::array kRows = {
    FilterMachineRow{FilterMachine::kFastest, "cpu", "the fastest machine that fits"},
    FilterMachineRow{FilterMachine::kReference, "reference", "the definition, step by step"},
    FilterMachineRow{FilterMachine::kModes, "modes", "sums of modes by recurrence"},
    FilterMachineRow{FilterMachine::kFft, "fft", "convolution by fast Fourier transform"},
    FilterMachineRow{FilterMachine::kShared, "shared",
                     "modes that all channels share, by one scan for all"},
};

// Nanoseconds per step and channel, forward + backward, float32, two cores (Zen 3, AVX2): rounded
// fits to `lcsm-train bench ets --alone --machine NAME` at 16,4096,512; times for two counts of
// modes give the base and the cost of one more mode. Other shapes are extrapolated.
struct Costs {
  double base, direction, real, complex;
};
constexpr Costs kRecurrence{0.75, 0.4, 0.1, 0.31};
constexpr double kTransform = 0.074;  // per point of a transform, times log2(points)

// Transforms must be cheaper by this factor, since in forward alone they gain less.
constexpr double kFftMargin = 1.2;

// Shorter transforms were not measured.
constexpr std::int64_t kFewestFftSteps = 256;

// The number of points of a transform: a power of two, or three times a power of two.
double points(std::int64_t steps) {
  std::int64_t power = 1;
  while (power < steps) power *= 2;
  return static_cast<double>(power / 4 * 3 >= steps ? power / 4 * 3 : power);
}

double of_modes(const Costs& costs, const FilterShape& s) {
  const double one = s.is_complex ? costs.complex : costs.real;
  const double tail = s.lasting > 0 ? costs.base + one * static_cast<double>(s.lasting) : 0;
  return costs.base + costs.direction * static_cast<double>(s.directions - 1) +
         one * static_cast<double>(s.directions * s.modes) + tail;
}

// The kernel of modes is computed as the response to one impulse.
double of_transforms(FilterShape s) {
  const std::int64_t K = s.kernel > 0 ? std::min(s.kernel, s.T) : s.T;
  const double n = points(s.T), T = static_cast<double>(s.T), B = static_cast<double>(s.B);
  // Five transforms for a sequence, three for the kernel and its gradient.
  const double convolution = kTransform * (5 + 3 / B) * n / T * std::log2(n);
  if (s.modes == 0) return convolution;
  s.lasting = 0;
  return convolution + of_modes(kRecurrence, s) * static_cast<double>(K) / T / B;
}

std::string text(double cost) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.1f", cost);
  return buffer;
}

}  // namespace

std::span<const FilterMachineRow> machine_rows() { return kRows; }

std::string_view to_string(FilterMachine machine) {
  for (const FilterMachineRow& row : kRows)
    if (row.machine == machine) return row.name;
  return "";
}

const FilterMachineRow* machine_named(std::string_view name) {
  return lcsm::row_named(kRows, name);
}

double cost_of(FilterMachine machine, const FilterShape& shape) {
  if (machine == FilterMachine::kFft) return of_transforms(shape);
  return of_modes(kRecurrence, shape);
}

Choice choose(const FilterShape& shape) {
  if (shape.modes == 0) return {FilterMachine::kFft, "a kernel without modes: fft"};
  const std::string what =
      lcsm::counted(shape.modes, shape.is_complex ? "complex mode" : "real mode");
  if (shape.T < kFewestFftSteps) return {FilterMachine::kModes, what + ", a short sequence: modes"};
  std::array<FilterMachine, 2> machines = {FilterMachine::kModes, FilterMachine::kFft};
  const auto price = [&](FilterMachine each) {
    return cost_of(each, shape) * (each == FilterMachine::kFft ? kFftMargin : 1);
  };
  std::stable_sort(machines.begin(), machines.end(),
                   [&](FilterMachine a, FilterMachine b) { return price(a) < price(b); });
  std::string why = what + ": ";
  for (const FilterMachine each : machines) {
    const bool first = each == machines.front();
    why += (first ? "" : ", ") + std::string(to_string(each)) + (first ? " takes " : " ") +
           text(cost_of(each, shape)) + (first ? " ns per step and channel" : "");
  }
  return {machines.front(), why};
}

}  // namespace ets
