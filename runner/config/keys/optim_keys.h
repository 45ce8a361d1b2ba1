// The keys of optimization: batch, limits, optimizer, schedule.
#pragma once

#include <array>

#include "runner/config/keys/key_rows.h"
#include "runner/config/keys/optimizer_rows.h"

namespace runner {
namespace key_rows {

inline constexpr std::array kOptimKeys = {
    whole("optim.batch", 128, "examples", kSize, "examples per step"),
    whole("optim.accumulate", 1, "parts", kSize, "parts that a batch is split into"),
    whole("optim.steps", 50000, "steps", kCountOrNone, "stop after this many; 0 = no limit"),
    whole("optim.epochs", 0, "epochs", kCountOrNone, "stop after this many; 0 = no limit"),
    whole("optim.tokens", 0, "tokens", kCountOrNone, "stop after this many; 0 = no limit"),
    real("optim.minutes", 0, "minutes", kNumber, "stop after this many; 0 = no limit"),
    choice("optim.name", "adamw", lcsm::row_names<kOptimizerRows>,
           "adam: weight decay is added to the gradient"),
    real("optim.lr", 5e-4, "", kAboveZero, "peak learning rate"),
    choice("optim.schedule", "inverse-sqrt", "constant inverse-sqrt linear cosine cosine-epochs",
           "learning rate after the warm-up"),
    whole("optim.warmup", 4000, "steps", kCountOrNone, "linear warm-up to the peak"),
    real("optim.lr_first", 1e-7, "", kNumber, "rate at the start of the warm-up"),
    real("optim.lr_last", 0, "", kNumber, "rate at the end of a line or a cosine"),
    real("optim.beta1", 0.9, "", kShare, "decay of the mean gradient", kByOptimizer),
    real("optim.beta2", 0.98, "", kShare, "decay of the mean squared gradient", kByOptimizer),
    real("optim.eps", 1e-8, "", {0, 1}, "added to the root of the mean squared gradient",
         kByOptimizer),
    real("optim.decay", 0.1, "", kNumber, "weight decay"),
    choice("optim.decay_on", "all", "all matrices not-gate",
           "tensors that weight decay applies to; not-gate: all but those of gates"),
    real("optim.gate_lr", 0, "", kNumber, "peak learning rate of gates' tensors; 0 = optim.lr"),
    real("optim.clip", 0, "", kNumber, "maximum norm of the gradient; 0 = no clipping"),
    real("optim.smoothing", 0, "", kShare, "share of a label that all classes have in common",
         kByTask),
    real("optim.mixup", 0, "", {0, 1000},
         "alpha of Beta(alpha, alpha), the shares of mixed examples; 0 = off", kByTask),
    real("optim.cutmix", 0, "", {0, 1000},
         "the same of boxes of pictures; with mixup: each in half of the steps", kByTask),
    real("optim.erase", 0, "", {0, 1}, "share of pictures with a box of random values", kByTask),
    whole("optim.repeats", 1, "times", {1, 1024},
          "how often an epoch has each of its examples, which are fewer by this factor", kByTask),
    choice("optim.precision", "fp32", "fp32 bf16", "bf16: autocast over fp32 weights"),
};

}  // namespace key_rows

template <>
struct KeysOf<KeyGroup::kOptim> {
  static constexpr const auto& kRows = key_rows::kOptimKeys;
};

}  // namespace runner
