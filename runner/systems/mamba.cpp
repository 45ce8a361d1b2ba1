// Mamba: a projection to inputs and gates, a short convolution, a selective state space.
#include <array>
#include <cmath>
#include <stdexcept>

#include "lcsm/block/block_tensors.h"
#include "runner/systems/blocks.h"

namespace runner {
namespace {

using Group = lcsm::BlockTensors::Group;

constexpr std::array kMambaOptions = {
    lcsm::integer("state", "16", 1, "states per channel", "log_decay", 1),
    lcsm::integer("expand", "2", 1, "inner channels, in multiples of d"),
    lcsm::integer("taps", "4", 1, "the length of the convolution", "conv.weight", 1),
    lcsm::integer("rank", "0", 0, "rank of the step's projection; 0: d / 16, rounded up",
                  "step.weight", 1),
    lcsm::integer("groups", "1", 1, "groups of adjacent inner channels that share B and C"),
    lcsm::flag("bias", false, "bias in the first and the last projection"),
    lcsm::flag("conv_bias", true, "bias in the convolution"),
    lcsm::number("step_min", "0.001", 1e-9, 1e3, "the smallest initial step"),
    lcsm::number("step_max", "0.1", 1e-9, 1e3, "the largest initial step"),
    lcsm::kLayers,  // the last projection begins by their root smaller
};

lcsm::Parameters tensors_of_mamba(const lcsm::Block& v) {
  const MambaSizes sizes = mamba_sizes(v);
  const std::int64_t E = sizes.channels, N = sizes.state, taps = v.options.integer("taps");
  lcsm::BlockTensors tensors;
  const auto put_projection = [&](const char* name, std::int64_t outputs, std::int64_t inputs) {
    if (v.options.flag("bias"))
      tensors.put_linear(name, outputs, inputs);
    else
      tensors.put_matrix(name, outputs, inputs);
  };
  const auto by = [](std::int64_t count) {
    return [count](lcsm::Random& random) {
      return (2 * random.uniform() - 1) / std::sqrt(static_cast<double>(count));
    };
  };
  put_projection("input", 2 * E, v.d);
  tensors.put_around("conv.weight", {E, taps}, Group::kMatrices, by(taps));
  if (v.options.flag("conv_bias")) tensors.put_around("conv.bias", {E}, Group::kNorm, by(taps));
  tensors.put_matrix("select", sizes.rank + 2 * sizes.groups * N, E);
  tensors.put_matrix("step", E, sizes.rank);
  tensors.put_step(v.options, "step.bias", {E}, /*softplus=*/true);
  lcsm::Values rates(static_cast<std::size_t>(N));
  for (std::size_t n = 0; n < rates.size(); ++n) rates[n] = std::log(static_cast<double>(n + 1));
  tensors.put_rows("log_decay", {E, N}, Group::kGate, "log(1 + index)", rates);
  tensors.put_constant("skip", {E}, Group::kNorm, 1);
  put_projection("output", v.d, E);
  lcsm::Parameters all = tensors.take();
  start_residual(v, &all);
  return all;
}

void check_mamba(const lcsm::Block& v) {
  const MambaSizes sizes = mamba_sizes(v);
  if (sizes.channels % sizes.groups != 0)
    throw std::invalid_argument("mamba: expected groups that divide the " +
                                std::to_string(sizes.channels) + " inner channels, got " +
                                std::to_string(sizes.groups));
}

}  // namespace

void start_residual(const lcsm::Block& v, lcsm::Parameters* tensors) {
  const double root = std::sqrt(static_cast<double>(v.options.integer("layers")));
  for (lcsm::Parameter& tensor : *tensors) {
    if (tensor.name != "output.weight") continue;
    tensor.start += " / sqrt(layers)";
    tensor.drawn = [usual = std::move(tensor.drawn), root](std::uint64_t seed) {
      lcsm::Values values = usual(seed);
      for (double& value : values) value /= root;
      return values;
    };
  }
}

MambaSizes mamba_sizes(const lcsm::Block& v) {
  const std::int64_t rank = v.options.integer("rank");
  return {v.options.integer("expand") * v.d, v.options.integer("state"),
          rank > 0 ? rank : (v.d + 15) / 16, v.options.integer("groups")};
}

const lcsm::BlockRow kMamba = {"mamba",
                               "a selective state space behind a short convolution",
                               lcsm::Lag::kCausalOnly,
                               kMambaOptions,
                               tensors_of_mamba,
                               check_mamba};

}  // namespace runner
