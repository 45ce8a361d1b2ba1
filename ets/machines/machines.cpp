#include "ets/machines/machines.h"

#include <ATen/TensorOperators.h>

#include <array>
#include <stdexcept>

namespace ets {
namespace {

constexpr std::array kRows = {
    MachineRow{Machine::kCpu, "cpu", "the fastest machine that fits"},
    MachineRow{Machine::kReference, "reference", "the definition, step by step"},
    MachineRow{Machine::kModes, "modes", "sums of modes by recurrence"},
    MachineRow{Machine::kChunks, "chunked", "sums of modes by products over chunks of steps"},
    MachineRow{Machine::kFft, "fft", "convolution by fast Fourier transform"},
};

std::string kind_of(const Filter& filter) {
  if (std::holds_alternative<Taps>(filter.kernel)) return "a free kernel";
  if (std::holds_alternative<StateSpace>(filter.kernel)) return "a dense state space";
  if (std::holds_alternative<SharedModes>(filter.kernel))
    return "modes that all channels share, which have no kernel for each";
  return is_sum_of_modes(filter) ? "a sum of modes" : "modes that grow";
}

void refuse(Machine machine, const Filter& filter, const char* expected, const char* next) {
  throw std::invalid_argument("machine '" + std::string(to_string(machine)) + "': expected " +
                              expected + ", got " + kind_of(filter) + "; take " + next);
}

bool has_kernel(const Filter& filter) {
  return !std::holds_alternative<SharedModes>(filter.kernel) &&
         !std::holds_alternative<StateSpace>(filter.kernel);
}

}  // namespace

std::span<const MachineRow> machine_rows() { return kRows; }

std::string_view to_string(Machine machine) {
  for (const MachineRow& row : kRows)
    if (row.machine == machine) return row.name;
  return "";
}

const MachineRow* machine_named(std::string_view name) {
  for (const MachineRow& row : kRows)
    if (row.name == name) return &row;
  return nullptr;
}

Machine chosen_machine(Machine machine, const Filter& filter) {
  if ((machine == Machine::kModes || machine == Machine::kChunks) && !is_sum_of_modes(filter))
    refuse(machine, filter, "a sum of modes", "'cpu', which chooses");
  if (machine == Machine::kFft && !has_kernel(filter))
    refuse(machine, filter, "a kernel for each channel", "'cpu', which chooses");
  if (machine != Machine::kCpu) return machine;
  if (is_sum_of_modes(filter)) return Machine::kModes;
  return has_kernel(filter) ? Machine::kFft : Machine::kReference;
}

FilterResult filtered(Machine machine, const Filter& filter, const at::Tensor& x,
                      const at::Tensor& padding, const State& state) {
  const at::Tensor seen = padding.defined() ? x.masked_fill(padding.unsqueeze(-1), 0) : x;
  if (machine == Machine::kCpu && std::holds_alternative<SharedModes>(filter.kernel))
    return filtered_shared(filter, seen, state);
  const Machine chosen = chosen_machine(machine, filter);
  // One step after another: nothing to convolve.
  if (chosen == Machine::kReference || !state.empty())
    return filtered_reference(filter, seen, state);
  if (chosen == Machine::kFft) return filtered_by_fft(filter, seen);
  return filtered_by_modes(
      filter, seen,
      chosen == Machine::kChunks ? lcsm::ModesForm::kChunks : lcsm::ModesForm::kRecurrence);
}

}  // namespace ets
