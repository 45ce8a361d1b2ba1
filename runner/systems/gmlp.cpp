// gMLP (Liu et al. 2021): a feed-forward with a gate that mixes positions by a learned matrix.
#include <array>
#include <stdexcept>

#include "runner/systems/attention.h"
#include "runner/systems/blocks.h"

namespace runner {
namespace {

constexpr std::array kGmlpOptions = {
    kBidirectional,
    ets::integer("length", "512", 1, "maximum sequence length", "spatial.bias", 0),
    ets::word("spatial", "full toeplitz", "full",
              "the matrix: unconstrained, or a function of the distance"),
    ets::integer("size", "0", 0, "channels inside, half of them gated; 0: 6 d", "input.weight", 0),
};

std::int64_t size_of(const ets::Variant& v) {
  const std::int64_t size = v.options.integer("size");
  return size > 0 ? size : 6 * v.d;
}

ets::Parameters tensors_of_gmlp(const ets::Variant& v) {
  using Group = ets::TensorList::Group;
  const std::int64_t length = v.options.integer("length"), half = size_of(v) / 2;
  const double bound = 1e-3 / static_cast<double>(length);
  ets::Shape spatial = {length, length};
  if (v.options.text("spatial") == "toeplitz")
    spatial = {v.options.flag("bidirectional") ? 2 * length - 1 : length};
  ets::TensorList tensors;
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

const ets::FamilyRow kGmlp = {
    "gmlp",
    "a gate that mixes positions by a learned matrix (Liu et al. 2021)",
    ets::Lag::kCausalOnly,
    kGmlpOptions,
    tensors_of_gmlp,
    [](const ets::Variant& v) {
      if (size_of(v) % 2 != 0)
        throw std::invalid_argument("gmlp: option 'size': expected an even number, got " +
                                    v.options.text("size"));
    }};

}  // namespace runner
