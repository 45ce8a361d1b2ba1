// Attention that is a recurrence over heads: RetNet, cosFormer, Based.
#include <array>
#include <stdexcept>

#include "lcsm/block/block_tensors.h"
#include "runner/systems/blocks.h"

namespace runner {
namespace {

constexpr lcsm::OptionRow kLinearAttentionHeads =
    lcsm::integer("heads", "1", 1, "attention heads, which divide d");

constexpr std::array kOfRetnet = {
    kLinearAttentionHeads,
    lcsm::integer("value", "0", 0, "channels of the values; 0: 2 d", "value.weight", 0),
    lcsm::word("form", "parallel chunks recurrent", "parallel",
               "the algorithm; the three scale rows differently"),
    lcsm::integer("chunk", "64", 1, "steps per chunk, for form=chunks"),
    lcsm::number("eps", "1e-6", 0, 1, "epsilon of the norm of each head"),
};
constexpr std::array kOfCosformer = {
    kLinearAttentionHeads,
    lcsm::flag("bidirectional", false, "attend to later steps too"),
    lcsm::number("eps", "1e-6", 0, 1, "the least sum of weights"),
};
constexpr std::array kOfBased = {
    kLinearAttentionHeads,
    lcsm::integer("feature", "16", 1, "channels of queries and keys in each head"),
    lcsm::word("view", "linear quadratic", "linear",
               "computed from features of the exponential, or from all pairs of steps"),
    lcsm::number("eps", "1e-12", 0, 1, "added to the sum of weights"),
};

void expect_heads(const lcsm::Block& v, std::int64_t channels, const char* what) {
  if (const std::int64_t heads = v.options.integer("heads"); channels % heads != 0)
    throw std::invalid_argument(std::string(v.row->name) + ": expected heads that divide the " +
                                std::to_string(channels) + " channels of " + what + ", got " +
                                std::to_string(heads));
}

lcsm::Parameters tensors_of_retnet(const lcsm::Block& v) {
  const std::int64_t d = v.d, values = retnet_values(v);
  lcsm::BlockTensors tensors;
  constexpr double kGain = 0.17677669529663687;  // 2^-2.5
  tensors.put_glorot("query", d, d, kGain);
  tensors.put_glorot("key", d, d, kGain);
  tensors.put_glorot("value", values, d, kGain);
  tensors.put_glorot("gate", values, d, kGain);
  tensors.put_glorot("output", d, values, 0.5);
  return tensors.take();
}

void check_retnet(const lcsm::Block& v) {
  expect_heads(v, v.d, "queries");
  expect_heads(v, retnet_values(v), "values");
  if (v.d / v.options.integer("heads") % 2 != 0)
    throw std::invalid_argument("retnet: expected an even number of channels in each head, got " +
                                std::to_string(v.d / v.options.integer("heads")));
}

lcsm::Parameters tensors_of_cosformer(const lcsm::Block& v) {
  lcsm::BlockTensors tensors;
  for (const char* name : {"query", "key", "value", "output"}) tensors.put_linear(name, v.d, v.d);
  return tensors.take();
}

lcsm::Parameters tensors_of_based(const lcsm::Block& v) {
  const std::int64_t features = v.options.integer("heads") * v.options.integer("feature");
  lcsm::BlockTensors tensors;
  tensors.put_matrix("query", features, v.d);
  tensors.put_matrix("key", features, v.d);
  tensors.put_matrix("value", v.d, v.d);
  tensors.put_matrix("output", v.d, v.d);
  return tensors.take();
}

void check_value_heads(const lcsm::Block& v) { expect_heads(v, v.d, "values"); }

}  // namespace

std::int64_t retnet_values(const lcsm::Block& v) {
  const std::int64_t given = v.options.integer("value");
  return given > 0 ? given : 2 * v.d;
}

const lcsm::BlockRow kRetnet = {"retnet",
                                "retention: rotated keys, one decay per head",
                                lcsm::Lag::kCausalOnly,
                                kOfRetnet,
                                tensors_of_retnet,
                                check_retnet};

const lcsm::BlockRow kCosformer = {
    "cosformer",          "attention by relu features and cos(distance)",
    lcsm::Lag::kZero,     kOfCosformer,
    tensors_of_cosformer, check_value_heads};

const lcsm::BlockRow kBased = {"based",
                               "attention by the second-order Taylor series of exp (zoology)",
                               lcsm::Lag::kCausalOnly,
                               kOfBased,
                               tensors_of_based,
                               check_value_heads};

}  // namespace runner
