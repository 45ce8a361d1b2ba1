#include "lcsm/layer/block.h"

#include <stdexcept>
#include <vector>

#include "lcsm/base/nearest.h"

namespace lcsm {
namespace {

[[noreturn]] void refuse_weight(const Block& block, const std::string& name,
                                const std::string& what) {
  throw std::invalid_argument(std::string(block.row->name) + ": weight '" + name + "': " + what);
}

}  // namespace

Weights initial_weights(const Block& block, std::uint64_t seed, const at::TensorOptions& options) {
  Weights weights;
  for (const Parameter& tensor : tensors_of(block))
    weights[tensor.name] = first_values(tensor, {}, seed).to(options).requires_grad_();
  return weights;
}

void check_weights(const Block& block, const Weights& weights, at::ScalarType dtype,
                   bool kernel_only) {
  std::map<std::string, std::vector<std::int64_t>> shapes;
  std::vector<std::string> known;
  for (const Parameter& tensor : tensors_of(block)) {
    shapes[tensor.name] = tensor.shape;
    known.push_back(tensor.name);
    if (!weights.contains(tensor.name) && (tensor.of_kernel || !kernel_only))
      refuse_weight(block, tensor.name, "expected it, got none");
  }
  for (const auto& [name, tensor] : weights) {
    const auto shape = shapes.find(name);
    if (shape == shapes.end())
      refuse_weight(block, name,
                    "this layer has no weight of that name" + did_you_mean(name, known));
    if (tensor.sizes() != at::IntArrayRef(shape->second))
      refuse_weight(block, name,
                    "expected shape " + c10::str(at::IntArrayRef(shape->second)) + ", got " +
                        c10::str(tensor.sizes()));
    if (tensor.scalar_type() != dtype)
      refuse_weight(block, name,
                    std::string("expected the input's dtype ") + at::toString(dtype) + ", got " +
                        at::toString(tensor.scalar_type()));
  }
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
