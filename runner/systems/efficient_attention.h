// Attention to selected or projected positions.
#pragma once

#include "runner/systems/attention.h"

namespace runner {

// Linformer (Wang et al. 2020): keys and values projected along time to a fixed number.
struct Linformer {
  static constexpr std::string_view
      kName = "linformer",
      kHelp = "attention to projected keys and values; two-sided only (Wang et al. 2020)";

  static constexpr bool kTwoSided = true;
  std::int64_t heads = 4, length = 512, projected = 128;
  bool shared = false;

  void describe(auto& option) {
    option("heads", heads, "heads of d / heads channels", {.least = 1});
    option("length", length, "maximum sequence length",
           {.least = 1, .tensor = "project_key", .axis = 1});
    option("projected", projected, "projected positions", {.least = 1, .tensor = "project_key"});
    option("shared", shared, "one projection for keys and values");
  }

  lcsm::Parameters tensors(std::int64_t d) const;
  lcsm::Mixing mixing(std::int64_t d, double steps) const;
  void check(std::int64_t d) const;
  lcsm::BlockResult forward(const lcsm::Weights& weights, const at::Tensor& x,
                            const lcsm::BlockContext& context) const;
};

// Luna (Ma et al. 2021): attention through a few packed positions, learned in each block.
struct Luna : AttentionOptions {
  static constexpr std::string_view
      kName = "luna",
      kHelp = "attention through packed positions, linear (Ma et al. 2021)";

  std::int64_t packed = 16;
  lcsm::Word<"softplus elu"> activation = "softplus";

  void describe(auto& option) {
    AttentionOptions::describe(option);
    option("packed", packed, "packed positions", {.least = 1, .tensor = "packed"});
    option("activation", activation,
           "activation of the causal form's packing weights; elu: elu + 1",
           {.needs = "bidirectional=false"});
  }

  lcsm::Parameters tensors(std::int64_t d) const;
  lcsm::Mixing mixing(std::int64_t d, double steps) const;
  void check(std::int64_t d) const;
  lcsm::BlockResult forward(const lcsm::Weights& weights, const at::Tensor& x,
                            const lcsm::BlockContext& context) const;
};

// Transformer-LS (Zhu et al. 2021): a window, and projections of distant positions.
struct TransformerLs : AttentionOptions {
  static constexpr std::string_view
      kName = "transformer-ls",
      kHelp = "attention to a window and to projections of the rest (Zhu et al. 2021)";

  std::int64_t window = 128, projected = 1, segment = 16;

  void describe(auto& option) {
    AttentionOptions::describe(option);
    option("window", window, "positions per segment of the window; an even number", {.least = 2});
    option("projected", projected, "projected positions per head; causal: per segment",
           {.least = 1});
    option("segment", segment, "positions that are projected together, causal form only",
           {.least = 1});
  }

  lcsm::Parameters tensors(std::int64_t d) const;
  lcsm::Mixing mixing(std::int64_t d, double steps) const;
  void check(std::int64_t d) const;
  lcsm::BlockResult forward(const lcsm::Weights& weights, const at::Tensor& x,
                            const lcsm::BlockContext& context) const;
};

// BigBird (Zaheer et al. 2020): attention to near, global and random blocks of positions.
struct Bigbird : AttentionOptions, DrawOption {
  static constexpr std::string_view
      kName = "bigbird",
      kHelp = "attention to near, global and random blocks (Zaheer et al. 2020)";

  std::int64_t block = 64, window = 3, global = 2, random = 3;

  void describe(auto& option) {
    AttentionOptions::describe(option);
    option("block", block, "positions per block", {.least = 1});
    option("window", window,
           "near blocks: the block itself and as many on each side (an odd number)", {.least = 1});
    option("global", global, "first blocks, which see all and are seen by all");
    option("random", random, "random blocks that each block sees");
    DrawOption::describe(option);
  }

  lcsm::Parameters tensors(std::int64_t d) const;
  lcsm::Mixing mixing(std::int64_t d, double steps) const;
  void check(std::int64_t d) const;
  lcsm::BlockResult forward(const lcsm::Weights& weights, const at::Tensor& x,
                            const lcsm::BlockContext& context) const;
};

// Reformer (Kitaev et al. 2020): attention among positions with equal hashes.
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

// FLASH (Hua et al. 2022): a gated attention unit, quadratic inside chunks and linear between them.
struct Flash {
  static constexpr std::string_view
      kName = "flash",
      kHelp =
          "gated attention, squared relu in chunks and linear between them "
          "(Hua et al. 2022)";

  bool bidirectional = false;
  std::int64_t size = 0, shared = 128, chunk = 256;

  void describe(auto& option) {
    option("bidirectional", bidirectional, "every position sees all others, not only earlier ones");
    option("size", size, "channels of gate and value; 0: 2 d", {.tensor = "gate.weight"});
    option("shared", shared, "channels that queries and keys share",
           {.least = 1, .tensor = "shared.weight"});
    option("chunk", chunk, "positions per chunk", {.least = 1});
  }

  lcsm::Parameters tensors(std::int64_t d) const;
  lcsm::Mixing mixing(std::int64_t d, double steps) const;
  lcsm::BlockResult forward(const lcsm::Weights& weights, const at::Tensor& x,
                            const lcsm::BlockContext& context) const;
};

}  // namespace runner
