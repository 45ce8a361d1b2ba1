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
    ets::word("positions", "none rope", "none", "rope: queries and keys are rotated by their time"),
};
constexpr std::array kOfLinearTransformer = {
    kHeads,
    kBidirectional,
    ets::number("epsilon", "1e-6", 0, 1,
                "added to the sum of the weights, as its authors' code does"),
};
constexpr std::array kOfPerformer = {
    kHeads,
    kBidirectional,
    ets::word("kernel", "softmax relu", "softmax",
              "what the features estimate (softmax), or relu(W x)"),
    ets::integer("features", "0", 0,
                 "random features per head; 0: w ln w for a head of w channels"),
    kDraw,
    ets::number("epsilon", "0", 0, 1, "added to every feature; 0: 1e-8, or 1e-3 with kernel=relu"),
};

ets::Parameters tensors_of_attention(const ets::Variant& v) {
  ets::TensorList tensors;
  put_qkv(v, &tensors);
  put_output(v, &tensors);
  return tensors.take();
}

void check_transformer(const ets::Variant& v) {
  check_heads(v);
  const std::int64_t width = v.d / v.options.integer("heads");
  if (v.options.text("positions") == "rope" && width % 2 != 0)
    throw std::invalid_argument(
        "transformer: positions=rope: expected heads of an even number of "
        "channels, got " +
        std::to_string(width));
}

}  // namespace

const ets::FamilyRow kTransformer = {
    "transformer",         "softmax attention (Vaswani et al. 2017)",
    ets::Lag::kCausalOnly, kOfTransformer,
    tensors_of_attention,  check_transformer};

const ets::FamilyRow kLinearTransformer = {
    "linear-transformer",  "attention with features elu + 1 (Katharopoulos et al. 2020)",
    ets::Lag::kCausalOnly, kOfLinearTransformer,
    tensors_of_attention,  check_heads};

const ets::FamilyRow kPerformer = {
    "performer",
    "attention by positive random features, FAVOR+ (Choromanski et al. 2021)",
    ets::Lag::kCausalOnly,
    kOfPerformer,
    tensors_of_attention,
    check_heads};

}  // namespace runner
