// Transformer-LS (Zhu et al. 2021): a window, and projections of what is far.
#include <array>
#include <cmath>
#include <stdexcept>

#include "runner/systems/attention.h"
#include "runner/systems/blocks.h"

namespace runner {
namespace {

constexpr std::array kTransformerLsOptions = {
    kHeads,
    kBidirectional,
    lcsm::integer("window", "128", 2, "positions per segment of the window; an even number"),
    lcsm::integer("projected", "1", 1, "projected positions per head; causal: per segment"),
    lcsm::integer("segment", "16", 1, "positions that are projected together, causal form only"),
};

lcsm::Parameters tensors_of_transformer_ls(const lcsm::Block& v) {
  using Group = lcsm::BlockTensors::Group;
  const double bound = 1 / std::sqrt(static_cast<double>(v.d));
  lcsm::BlockTensors tensors;
  put_qkv(v, &tensors);
  tensors.put_each("project.weight",
                   {v.options.integer("heads") * v.options.integer("projected"), v.d},
                   Group::kMatrices, "uniform / sqrt(inputs)",
                   [bound](lcsm::Random& random) { return bound * (2 * random.uniform() - 1); });
  for (const std::string name : {"near_norm", "far_norm"}) {
    tensors.put_constant(name + ".weight", {v.d}, Group::kNorm, 1);
    tensors.put_constant(name + ".bias", {v.d}, Group::kNorm, 0);
  }
  put_output(v, &tensors);
  return tensors.take();
}

}  // namespace

const lcsm::BlockRow kTransformerLs = {
    "transformer-ls",
    "attention to a window and to projections of the rest (Zhu et al. 2021)",
    lcsm::Lag::kCausalOnly,
    kTransformerLsOptions,
    tensors_of_transformer_ls,
    [](const lcsm::Block& v) {
      check_heads(v);
      if (v.options.integer("window") % 2 != 0)
        throw std::invalid_argument(
            "transformer-ls: option 'window': expected an even number, got " +
            v.options.text("window"));
    }};

}  // namespace runner
