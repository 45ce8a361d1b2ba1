#include "ets/machines/machines.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/view_as_real.h>
#include <ATen/ops/zeros.h>

#include <stdexcept>
#include <type_traits>

#include "lcsm/cuda/modes/modes_cuda.h"
#include "lcsm/tensors/product.h"

namespace ets {
namespace {

std::string kind_of(const Filter& filter) {
  if (std::holds_alternative<Taps>(filter.kernel)) return "a free kernel";
  if (std::holds_alternative<StateSpace>(filter.kernel)) return "a dense state space";
  if (std::holds_alternative<SharedModes>(filter.kernel))
    return "modes that all channels share, which have no kernel per channel";
  return is_sum_of_modes(filter) ? "a sum of modes" : "modes that grow";
}

[[noreturn]] void refuse(FilterMachine machine, const Filter& filter, const char* expected) {
  throw std::invalid_argument("machine '" + std::string(to_string(machine)) + "': expected " +
                              expected + ", got " + kind_of(filter) + "; use 'cpu', which chooses");
}

bool has_kernel(const Filter& filter) {
  return !std::holds_alternative<SharedModes>(filter.kernel) &&
         !std::holds_alternative<StateSpace>(filter.kernel);
}

// Costs on a GPU have not been measured. The sum of modes moves the fewest bytes.
Choice chosen_on_a_gpu(const FilterShape& shape) {
  const std::int64_t modes = shape.modes * shape.directions;
  const std::string most = std::to_string(lcsm::kModesMost);
  if (modes == 0) return {FilterMachine::kFft, "a free kernel: fft"};
  if (modes <= lcsm::kModesMost)
    return {FilterMachine::kModes, std::to_string(modes) + " modes, at most " + most + ": modes"};
  return {FilterMachine::kFft, std::to_string(modes) + " modes, more than " + most + ": fft"};
}

}  // namespace

Choice chosen_machine(const On& on, const Filter& filter, const at::Tensor& x) {
  const FilterMachine machine = on.machine;
  const bool modes = is_sum_of_modes(filter);
  const bool shared = std::holds_alternative<SharedModes>(filter.kernel);
  if (machine == FilterMachine::kModes && !modes) refuse(machine, filter, "a sum of modes");
  if (machine == FilterMachine::kShared && !shared)
    refuse(machine, filter, "modes that all channels share");
  if (machine == FilterMachine::kFft && !has_kernel(filter))
    refuse(machine, filter, "one kernel per channel");
  if (machine != FilterMachine::kFastest) return {machine, "requested"};
  if (shared) return {FilterMachine::kShared, "modes that all channels share: shared"};
  if (!has_kernel(filter))
    return {FilterMachine::kReference, kind_of(filter) + ": only the definition computes that"};
  FilterShape shape{.B = x.size(0), .T = x.size(1), .kernel = filter.truncation};
  if (modes) {
    const auto& of = std::get<Modes>(filter.kernel);
    shape.directions = of.weight.size(0);
    shape.modes = of.weight.size(2);
    shape.is_complex = of.angle.defined();
    if (!on.gpu) shape.lasting = lasting_modes(filter, x.size(1));
  }
  return on.gpu ? chosen_on_a_gpu(shape) : choose(shape);
}

bool has_state(const Filter& filter) {
  if (filter.of_length) return false;
  const auto one_direction = [&](const auto& kernel) {
    using Kernel = std::decay_t<decltype(kernel)>;
    if constexpr (std::is_same_v<Kernel, Modes>)
      return kernel.weight.size(0) == 1 && (filter.truncation > 0 || !kernel.origin.defined());
    else if constexpr (std::is_same_v<Kernel, Taps>)
      return kernel.values.size(0) == 1;
    else if constexpr (std::is_same_v<Kernel, StateSpace>)
      return kernel.c.size(0) == 1;
    else
      return kernel.shrink.size(0) == 1;
  };
  return std::visit(one_direction, filter.kernel);
}

FilterResult filtered(const On& on, const Filter& filter, const at::Tensor& x,
                      const at::Tensor& padding, const lcsm::BlockState& state) {
  const at::Tensor seen = padding.defined() ? x.masked_fill(padding.unsqueeze(-1), 0) : x;
  FilterObserver::see(filter, seen);
  const FilterMachine chosen = chosen_machine(on, filter, x).machine;
  const bool continues = !state.empty() || (on.wants_state && has_state(filter));
  if (continues && chosen != FilterMachine::kReference && modes_carry(filter))
    return modes_continued(filter, seen, state, on.gpu);
  if (on.gpu && !continues && filter.truncation == 0 &&
      (chosen == FilterMachine::kFft || chosen == FilterMachine::kModes)) {
    const at::Tensor rounded = lcsm::rounded_for_products(seen);
    FilterResult result = chosen == FilterMachine::kFft
                              ? filtered_by_fft(filter, rounded, on.gpu)
                              : filtered_by_modes(filter, rounded, on.gpu);
    result.y = result.y.to(x.scalar_type());
    return result;
  }
  if (chosen == FilterMachine::kShared) return filtered_shared(filter, seen, state, on.gpu);
  // A state continues step by step, so there is nothing to convolve.
  if (chosen == FilterMachine::kReference || continues)
    return filtered_reference(filter, seen, state);
  if (chosen == FilterMachine::kFft) return filtered_by_fft(filter, seen, on.gpu);
  return filtered_by_modes(filter, seen, on.gpu);
}

at::Tensor opened(const lcsm::BlockState& state, const std::string& name, const at::Tensor& like) {
  const auto found = state.find(name);
  if (found == state.end()) return at::zeros(like.sizes(), like.options());
  const bool complex = like.is_complex();
  std::vector<std::int64_t> shape = like.sizes().vec();
  if (complex) shape.push_back(2);
  if (found->second.sizes() != at::IntArrayRef(shape))
    throw std::invalid_argument("state '" + name + "': expected shape " +
                                c10::str(at::IntArrayRef(shape)) + ", got " +
                                c10::str(found->second.sizes()));
  return (complex ? complex_of(found->second) : found->second).to(like.scalar_type());
}

at::Tensor stored(const at::Tensor& h) { return h.is_complex() ? at::view_as_real(h) : h; }

}  // namespace ets
