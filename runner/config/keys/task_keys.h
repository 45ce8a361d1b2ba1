// The keys of a run's task and data.
#pragma once

#include <array>

#include "runner/config/keys/key_rows.h"
#include "runner/config/keys/task_rows.h"

namespace runner {
namespace key_rows {

inline constexpr std::array kTaskKeys = {
    not_semantic(
        text("recipe", "a paper's hyperparameters for the task; 'lcsm recipes' lists them")),
    choice("task.name", {}, lcsm::row_names<kTaskRows>, "task to train on"),
    whole("task.length", 512, "tokens", kSize, "length of an example, T"),
    choice("task.order", "shuffled", "shuffled fixed consecutive",
           "order of examples: new in each epoch, as generated, or along the text"),
    whole("task.vocab", 8192, "tokens", {4, 1 << 24}, "vocabulary size, V; keys are below V/2",
          kByTask),
    whole("task.pairs", 4, "pairs", {1, 1 << 18}, "key-value pairs per example, D", kByTask),
    real("task.power", 0.01, "", {0, 16, true}, "a: query slot g has weight (g+1)^(a-1)", kByTask),
    choice("task.filler", "zero", "zero random", "tokens between queries", kByTask),
    whole("task.train", 100000, "examples", kExamples, "training examples", kByTask),
    whole("task.valid", 3000, "examples", kExamples, "validation examples", kByTask),
    whole("task.test", 3000, "examples", kExamples, "test examples", kByTask),
    whole("task.seed", 1, "", kSeed, "seed of generated examples or random splits", kByTask),
    choice("task.tokens", "gpt2", "bytes characters words ranked-words gpt2",
           "tokenizer; ranked-words: the most frequent first", kByTask),
    text("task.segments", "2-6: train on 2 to 6 sixths of task.length at random; empty = on all",
         kByTask),
    choice("task.format", "raw", "raw tokens", "release: raw text, or words with <unk>", kByTask),
    not_semantic(text("task.path", "path of the data; empty = workspace/data, LCSM_DATA", kByTask)),
    text("task.content", "SHA-256 of the texts; computed if not set", kByTask),
    not_semantic(text("task.data", "another data set in the task's format; empty = the task's own",
                      kByTask)),
    not_semantic(text("task.data_options",
                      "options of `lcsm data make` for task.data: --over 10 --under 100", kByTask)),
    real("task.mean", 0.5, "", kNumber, "mean of the inputs (bytes / 255), subtracted from them",
         kByTask),
    real("task.deviation", 0.5, "", kAboveZero,
         "standard deviation of the inputs, which divides them", kByTask),
    choice("task.colours", "grey", "grey rgb", "what a pixel has: one value, or three", kByTask),
    whole("task.patch", 1, "pixels", {1, 1024},
          "side of the square patches of a picture that are its steps", kByTask),
    whole("task.classes", 0, "classes", {0, 10000}, "number of labels; 0 = counted", kByTask),
    usual_text("task.text", "text", "column, or JSON field, of the texts", kByTask),
    usual_text("task.label", "label", "column, or JSON field, of the labels", kByTask),
    text("task.split", "column of train, valid or test; empty = files of these names, or shares",
         kByTask),
    real("task.valid_share", 0.1, "", kShare, "share of the training examples used for validation",
         kByTask),
    real("task.test_share", 0.1, "", kShare, "share of the examples used for testing", kByTask),
    real("task.masked", 0, "", kShare,
         "share of tokens that are hidden and predicted, as in BERT; 0 = the next token", kByTask),
    whole("task.merges", 32000, "merges", {0, 60000},
          "byte pairs learnt from both languages of the training sentences", kByTask),
    whole("task.bundle", 0, "tokens", {0, 1 << 20},
          "most tokens of a bundle of sentences, which is an example; 0: one sentence", kByTask),
    whole("task.rarest", 1, "times", kCount,
          "characters or words that occur less often become <unk>", kByTask),
};

}  // namespace key_rows

template <>
struct KeysOf<KeyGroup::kTask> {
  static constexpr const auto& kRows = key_rows::kTaskKeys;
};

}  // namespace runner
