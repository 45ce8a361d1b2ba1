// The keys of evaluation.
#pragma once

#include <array>

#include "runner/config/keys/key_rows.h"

namespace runner {
namespace key_rows {

inline constexpr std::array kEvalKeys = {
    whole("eval.steps", 1000, "steps", kCountOrNone, "steps between evaluations; 0 = not by steps"),
    whole("eval.epochs", 0, "epochs", kCountOrNone,
          "epochs between evaluations; 0 = not by epochs"),
    whole("eval.batch", 128, "examples", kSize, "examples per batch"),
    whole("eval.examples", 0, "examples", {0, kMany}, "maximum per split, spread over it; 0 = all"),
    choice("eval.best", "loss", "loss accuracy f1 mcc bleu sacrebleu",
           "validation metric that selects the best step"),
    whole("eval.beam", 5, "sentences", {1, 100},
          "beginnings that beam search keeps; 1: the likeliest token each time", kByTask),
    real("eval.length_penalty", 0.5, "", {0, 10},
         "p: a translation's log-probability is divided by its length to the power p", kByTask),
    real("eval.stop", 0, "", kNumber, "stop when eval.best is better than this; 0 = never"),
};

}  // namespace key_rows

template <>
struct KeysOf<KeyGroup::kEval> {
  static constexpr const auto& kRows = key_rows::kEvalKeys;
};

}  // namespace runner
