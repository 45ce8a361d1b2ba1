// Reformer (Kitaev et al. 2020): attention among positions of one hash.
#include <array>
#include <stdexcept>

#include "runner/systems/attention.h"
#include "runner/systems/blocks.h"

namespace runner {
namespace {

constexpr std::array kReformerOptions = {
    kHeads,
    kBidirectional,
    lcsm::integer("buckets", "16", 1, "values of a hash: 1 or an even number"),
    lcsm::integer("rounds", "4", 1, "hashes per position"),
    lcsm::integer("chunk", "64", 1,
                  "positions per chunk; each chunk sees itself and the one before"),
    lcsm::flag("duplicates", false, "a pair that meets in several rounds counts in each"),
    kDraw,
};

lcsm::Parameters tensors_of_reformer(const lcsm::Block& v) {
  lcsm::BlockTensors tensors;
  tensors.put_linear("query", v.d, v.d);
  tensors.put_linear("value", v.d, v.d);
  put_output(v, &tensors);
  return tensors.take();
}

}  // namespace

const lcsm::BlockRow kReformer = {
    "reformer",
    "attention among positions of one hash (Kitaev et al. 2020)",
    lcsm::Lag::kCausalOnly,
    kReformerOptions,
    tensors_of_reformer,
    [](const lcsm::Block& v) {
      check_heads(v);
      const std::int64_t buckets = v.options.integer("buckets");
      if (buckets != 1 && buckets % 2 != 0)
        throw std::invalid_argument(
            "reformer: option 'buckets': expected 1 or an even number, got " +
            v.options.text("buckets"));
    }};

}  // namespace runner
