// gMLP (Liu et al. 2021): a feed-forward with a gate that mixes positions by a learned matrix.
#include <array>
#include <stdexcept>

#include "runner/systems/attention.h"
#include "runner/systems/blocks.h"

namespace runner {
namespace {

constexpr std::array kGmlpOptions = {
    kBidirectional,
    lcsm::integer("length", "512", 1, "maximum sequence length", "spatial.bias", 0),
    lcsm::word("spatial", "full toeplitz", "full",
               "the matrix: unconstrained, or a function of the distance"),
    lcsm::integer("size", "0", 0, "channels inside, half of them gated; 0: 6 d", "input.weight", 0),
};

std::int64_t size_of(const lcsm::Block& v) {
  const std::int64_t size = v.options.integer("size");
  return size > 0 ? size : 6 * v.d;
}

lcsm::Parameters tensors_of_gmlp(const lcsm::Block& v) {
  using Group = lcsm::BlockTensors::Group;
  const std::int64_t length = v.options.integer("length"), half = size_of(v) / 2;
  const double bound = 1e-3 / static_cast<double>(length);
  lcsm::Shape spatial = {length, length};
  if (v.options.text("spatial") == "toeplitz")
    spatial = {v.options.flag("bidirectional") ? 2 * length - 1 : length};
  lcsm::BlockTensors tensors;
  tensors.put_linear("input", 2 * half, v.d);
  tensors.put_constant("norm.weight", {half}, Group::kNorm, 1);
  tensors.put_constant("norm.bias", {half}, Group::kNorm, 0);
  tensors.put_each("spatial.weight", spatial, Group::kMatrices, "0.001 * uniform / length",
                   [bound](lcsm::Random& random) { return bound * (2 * random.uniform() - 1); });
  tensors.put_constant("spatial.bias", {length}, Group::kNorm, 1);
  tensors.put_linear("output", v.d, half);
  return tensors.take();
}

}  // namespace

const lcsm::BlockRow kGmlp = {
    "gmlp",
    "a gate that mixes positions by a learned matrix (Liu et al. 2021)",
    lcsm::Lag::kCausalOnly,
    kGmlpOptions,
    tensors_of_gmlp,
    [](const lcsm::Block& v) {
      if (size_of(v) % 2 != 0)
        throw std::invalid_argument("gmlp: option 'size': expected an even number, got " +
                                    v.options.text("size"));
    }};

}  // namespace runner
