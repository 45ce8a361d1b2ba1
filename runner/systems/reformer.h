// Reformer (Kitaev et al. 2020): attention among positions of one hash.
#pragma once

#include "runner/systems/attention.h"

namespace runner {

struct Reformer : AttentionOptions, DrawOption {
  static constexpr std::string_view
      kName = "reformer",
      kHelp = "attention among positions of one hash (Kitaev et al. 2020)";

  static constexpr std::string_view kCpuOnly =
      "the sizes of its buckets depend on values, so each step would wait for the GPU";
  std::int64_t buckets = 16, rounds = 4, chunk = 64;
  bool duplicates = false;

  void describe(auto& option) {
    AttentionOptions::describe(option);
    option("buckets", buckets, "values of a hash: 1 or an even number", {.least = 1});
    option("rounds", rounds, "hashes per position", {.least = 1});
    option("chunk", chunk, "positions per chunk; each chunk sees itself and the one before",
           {.least = 1});
    option("duplicates", duplicates, "a pair that meets in several rounds counts in each");
    DrawOption::describe(option);
  }

  lcsm::Parameters tensors(std::int64_t d) const;
  lcsm::Mixing mixing(std::int64_t d, double steps) const;
  void check(std::int64_t d) const;
  lcsm::BlockResult forward(const lcsm::Weights& weights, const at::Tensor& x,
                            const lcsm::BlockContext& context) const;
};

}  // namespace runner
