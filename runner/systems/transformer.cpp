// Softmax attention (Vaswani et al. 2017), linear attention (Katharopoulos et al. 2020) and its
// random features (Choromanski et al. 2021): one set of tensors, three weights of a pair.
#include <array>
#include <stdexcept>

#include "runner/systems/attention.h"
#include "runner/systems/blocks.h"

namespace runner {
namespace {

constexpr std::array kOfTransformer = {
    kHeads,
    kBidirectional,
    lcsm::word("positions", "none rope", "none",
               "rope: queries and keys are rotated by their time"),
};
constexpr std::array kOfLinearTransformer = {
    kHeads,
    kBidirectional,
    lcsm::number("epsilon", "1e-6", 0, 1,
                 "added to the sum of the weights, as its authors' code does"),
};
constexpr std::array kOfPerformer = {
    kHeads,
    kBidirectional,
    lcsm::word("kernel", "softmax relu", "softmax",
               "what the features estimate (softmax), or relu(W x)"),
    lcsm::integer("features", "0", 0,
                  "random features per head; 0: w ln w for a head of w channels"),
    kDraw,
    lcsm::number("epsilon", "0", 0, 1, "added to every feature; 0: 1e-8, or 1e-3 with kernel=relu"),
};

lcsm::Parameters tensors_of_attention(const lcsm::Block& v) {
  lcsm::BlockTensors tensors;
  put_qkv(v, &tensors);
  put_output(v, &tensors);
  return tensors.take();
}

void check_transformer(const lcsm::Block& v) {
  check_heads(v);
  const std::int64_t width = v.d / v.options.integer("heads");
  if (v.options.text("positions") == "rope" && width % 2 != 0)
    throw std::invalid_argument(
        "transformer: positions=rope: expected heads of an even number of "
        "channels, got " +
        std::to_string(width));
}

}  // namespace

const lcsm::BlockRow kTransformer = {
    "transformer",          "softmax attention (Vaswani et al. 2017)",
    lcsm::Lag::kCausalOnly, kOfTransformer,
    tensors_of_attention,   check_transformer};

const lcsm::BlockRow kLinearTransformer = {
    "linear-transformer",   "attention with features elu + 1 (Katharopoulos et al. 2020)",
    lcsm::Lag::kCausalOnly, kOfLinearTransformer,
    tensors_of_attention,   check_heads};

const lcsm::BlockRow kPerformer = {
    "performer",
    "attention by positive random features, FAVOR+ (Choromanski et al. 2021)",
    lcsm::Lag::kCausalOnly,
    kOfPerformer,
    tensors_of_attention,
    check_heads};

}  // namespace runner
