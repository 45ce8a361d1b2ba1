#include "lcsm/layer/block.h"

#include <stdexcept>
#include <vector>

namespace lcsm {

Weights initial_weights(const Block& block, std::uint64_t seed, const at::TensorOptions& options) {
  Weights weights;
  for (const Parameter& tensor : tensors_of(block))
    weights[tensor.name] = first_values(tensor, {}, seed).to(options).requires_grad_();
  return weights;
}

void check_weights(const Block& block, const Weights& weights, at::ScalarType dtype,
                   bool kernel_only) {
  const std::string who(block.row->name);
  std::map<std::string, std::vector<std::int64_t>> shapes;
  for (const Parameter& tensor : tensors_of(block)) {
    shapes[tensor.name] = tensor.shape;
    if (!weights.contains(tensor.name) && (tensor.of_kernel || !kernel_only))
      throw std::invalid_argument(who + ": weight '" + tensor.name + "': expected it, got none");
  }
  check_shapes(who, shapes, weights, dtype);
}

BlockState by_name(const State& state) {
  BlockState named{{"m", state.m}};
  if (state.log_sum.defined()) named["log_sum"] = state.log_sum;
  return named;
}

State state_of_code(const BlockState& state) {
  const auto given = [&](const char* name) {
    const auto found = state.find(name);
    return found == state.end() ? at::Tensor() : found->second;
  };
  return {given("m"), given("log_sum")};
}

void refuse_unknown_state(const BlockState& state, const BlockState& carried) {
  for (const auto& [name, tensor] : state)
    if (!carried.contains(name))
      throw std::invalid_argument("state '" + name + "': this layer carries no such state" +
                                  (carried.empty() ? " (nor any other)" : ""));
}

}  // namespace lcsm
