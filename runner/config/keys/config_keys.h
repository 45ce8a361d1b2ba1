// Declares every key of a run's configuration once: type, unit, range, default, help. The reader,
// `lcsm config`, the run id and the trainer's typed access use this table.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "runner/config/keys/family_rows.h"
#include "runner/config/keys/optimizer_rows.h"
#include "runner/config/keys/task_rows.h"
#include "runner/systems/eos_parts.h"

namespace runner {

enum class Kind : std::uint8_t { kInteger, kReal, kChoice, kText, kCode, kSystem };

// A code, or a named system: both name models, and patterns name several.
constexpr bool names_models(Kind kind) { return kind == Kind::kCode || kind == Kind::kSystem; }

// monostate: no default, the user must set it.
using Usual = std::variant<std::monostate, std::int64_t, double, std::string_view>;

struct ConfigKey {
  std::string_view name;  // "optim.lr"
  Kind kind = Kind::kText;
  Usual usual = {};            // the default; a task may override it
  std::string_view unit = "";  // unit of a number: "steps"
  std::string_view help = "";
  double least = 0, most = 0;     // of a number
  bool above = false;             // `least` itself is out of range
  std::string_view choices = "";  // of a choice, separated by blanks
  std::string_view only = "";     // applies only with this; "" = always
  bool semantic = true;           // changes the result and hence the run id
};

// ----- When a key applies -----
// With rows of the table of this key's choices: those that list it.
inline constexpr std::string_view kTask = "task.name", kFamily = "model.family",
                                  kOptimizer = "optim.name";
// Condition of keys that apply only with this skeleton.
inline constexpr std::string_view kWikiText = "model.skeleton = wikitext";
inline constexpr std::string_view kZoology = "model.skeleton = zoology";
inline constexpr std::string_view kAdaptive = "model.softmax = adaptive";

// ----- Rows -----
namespace key_rows {

struct Range {
  double least, most;
  bool above = false;
};
inline constexpr double kMany = double(std::int64_t{1} << 40);
inline constexpr Range kCount{1, kMany}, kCountOrNone{0, kMany}, kSize{1, 1 << 20},
    kExamples{1, 4294967295.0},  // the order of an epoch has 32-bit indices
    kShare{0, 0.999999999}, kNumber{0, 1e9}, kAboveZero{0, 1e9, true},
    kSeed{0, double(std::int64_t{1} << 53)};

constexpr ConfigKey whole(std::string_view name, std::int64_t usual, std::string_view unit,
                          Range range, std::string_view help, std::string_view only = "") {
  return {.name = name,
          .kind = Kind::kInteger,
          .usual = usual,
          .unit = unit,
          .help = help,
          .least = range.least,
          .most = range.most,
          .only = only};
}
constexpr ConfigKey real(std::string_view name, double usual, std::string_view unit, Range range,
                         std::string_view help, std::string_view only = "") {
  return {.name = name,
          .kind = Kind::kReal,
          .usual = usual,
          .unit = unit,
          .help = help,
          .least = range.least,
          .most = range.most,
          .above = range.above,
          .only = only};
}
constexpr ConfigKey choice(std::string_view name, Usual usual, std::string_view choices,
                           std::string_view help, std::string_view only = "") {
  return {.name = name,
          .kind = Kind::kChoice,
          .usual = usual,
          .help = help,
          .choices = choices,
          .only = only};
}
constexpr ConfigKey text(std::string_view name, std::string_view help, std::string_view only = "") {
  return {.name = name, .usual = std::string_view(""), .help = help, .only = only};
}
constexpr ConfigKey usual_text(std::string_view name, std::string_view usual, std::string_view help,
                               std::string_view only) {
  ConfigKey key = text(name, help, only);
  key.usual = usual;
  return key;
}
constexpr ConfigKey not_semantic(ConfigKey key) {
  key.semantic = false;
  return key;
}

inline constexpr std::array kTable = {
    not_semantic(
        text("recipe", "a paper's hyperparameters for the task; 'lcsm recipes' lists them")),

    // Task.
    choice("task.name", {}, lcsm::row_names<kTaskRows>, "task to train on"),
    whole("task.length", 512, "tokens", kSize, "length of an example, T"),
    choice("task.order", "shuffled", "shuffled fixed",
           "order of examples: new in each epoch, or as generated (zoology)"),
    whole("task.vocab", 8192, "tokens", {4, 1 << 24}, "vocabulary size, V; keys are below V/2",
          kTask),
    whole("task.pairs", 4, "pairs", {1, 1 << 18}, "key-value pairs per example, D", kTask),
    real("task.power", 0.01, "", {0, 16, true}, "a: query slot g has weight (g+1)^(a-1)", kTask),
    choice("task.filler", "zero", "zero random", "tokens between queries", kTask),
    whole("task.train", 100000, "examples", kExamples, "training examples", kTask),
    whole("task.valid", 3000, "examples", kExamples, "validation examples", kTask),
    whole("task.test", 3000, "examples", kExamples, "test examples", kTask),
    whole("task.seed", 1, "", kSeed, "seed of generated examples or random splits", kTask),
    choice("task.tokens", "gpt2", "bytes characters words ranked-words gpt2",
           "tokenizer; ranked-words: the most frequent first", kTask),
    choice("task.format", "raw", "raw tokens", "release: raw text, or words with <unk>", kTask),
    not_semantic(text("task.path", "path of the data; empty = workspace/data, LCSM_DATA", kTask)),
    text("task.content", "SHA-256 of the texts; computed if not set", kTask),
    not_semantic(
        text("task.data", "another data set in the task's format; empty = the task's own", kTask)),
    not_semantic(text("task.data_options",
                      "options of `lcsm data make` for task.data: --over 10 --under 100", kTask)),
    real("task.mean", 0.5, "", kNumber, "mean of the inputs (bytes / 255), subtracted from them",
         kTask),
    real("task.deviation", 0.5, "", kAboveZero,
         "standard deviation of the inputs, which divides them", kTask),

    whole("task.classes", 0, "classes", {0, 10000}, "number of labels; 0 = counted", kTask),
    usual_text("task.text", "text", "column, or JSON field, of the texts", kTask),
    usual_text("task.label", "label", "column, or JSON field, of the labels", kTask),
    text("task.split", "column of train, valid or test; empty = files of these names, or shares",
         kTask),
    real("task.valid_share", 0.1, "", kShare, "share of the training examples used for validation",
         kTask),
    real("task.test_share", 0.1, "", kShare, "share of the examples used for testing", kTask),
    whole("task.rarest", 1, "times", kCount,
          "characters or words that occur less often become <unk>", kTask),

    // Model.
    choice("model.family", "eos", lcsm::row_names<kFamilyRows>, "token mixer"),
    ConfigKey{.name = "model.code",
              .kind = Kind::kCode,
              .help = "e-o-s-a, such as 1-9-1-0",
              .only = kFamily},
    ConfigKey{.name = "model.system",
              .kind = Kind::kSystem,
              .usual = std::string_view(""),
              .help = "a named system, such as s4d@modes=16; 'lcsm systems' lists them",
              .only = kFamily},
    whole("model.d", 512, "channels", kSize, "width"),
    whole("model.k", 128, "rows", kSize, "memory rows", kFamily),
    whole("model.layers", 10, "layers", {1, 10000}, "depth"),
    whole("model.heads", 8, "heads", kSize,
          "attention heads; must divide model.d (a code's: model.code_heads)", kFamily),
    whole("model.code_heads", 1, "heads", kSize,
          "heads of a code, each with its own gate; must divide model.d and model.k", kFamily),
    whole("model.conv", 0, "taps", {0, 64},
          "convolution of i, e and s over the last steps, then silu; 0 = none", kFamily),
    choice("model.qk_norm", "none", kStageNormWords, "norm of e and s, per head", kFamily),
    choice("model.head_norm", "none", kOutputNormWords,
           "norm of the output, per head; none: a LayerNorm over all heads", kFamily),
    choice("model.output_gate", "none", kOutputGateWords,
           "activation of an input gate on the normalized output", kFamily),
    choice("model.bonus", "none", "none learned", "a weight for the current token, as in RWKV",
           kFamily),
    choice("model.attention", "causal", "causal both", "what attention sees: the past, or all",
           kFamily),
    choice("model.softmax", "full", "full adaptive",
           "adaptive: narrower vectors for rarer tokens, in the embedding too", kTask),
    usual_text("model.cutoffs", "20000,60000",
               "ranks at which narrower bands begin, separated by commas", kAdaptive),
    whole("model.narrowing", 4, "", {1, 1 << 10},
          "each band's vectors are narrower than the last one's by this factor", kAdaptive),
    choice("model.head", "linear", "linear gelu relu",
           "classifier on the mean: linear, or a hidden layer with this activation first", kTask),
    whole("model.head_width", 0, "channels", {0, 1 << 20},
          "width of the head's hidden layer; 0 = model.d", kTask),
    choice("model.pair", "concat", "concat nli",
           "two documents a, b as one vector: b a, or a b a*b a-b", kTask),
    choice("model.positions", "none", "none learned rope", "position encoding"),
    choice("model.skeleton", "wikitext", "wikitext zoology source",
           "pre-norm blocks with a GLU, zoology's running residual, or as a system's authors"),
    choice("model.scheme", "A", "A B",
           "A: affine LayerNorms, GLU without biases; B: SimpleRMSNorm, GLU with biases",
           kWikiText),
    choice("model.glu", "identity", "identity silu sigmoid gelu relu", "activation of the GLU",
           kWikiText),
    choice("model.state_mixer", "identity", "identity mlp", "what follows the mixer", kZoology),
    real("model.dropout", 0.1, "", kShare, "dropout rate after mixer and GLU"),
    real("model.embedding_dropout", 0, "", kShare, "dropout rate after the embedding"),

    // Optimization.
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
    real("optim.lr_last", 0, "", kNumber, "rate at the end of a cosine"),
    real("optim.beta1", 0.9, "", kShare, "decay of the mean gradient", kOptimizer),
    real("optim.beta2", 0.98, "", kShare, "decay of the mean squared gradient", kOptimizer),
    real("optim.eps", 1e-8, "", {0, 1}, "added to the root of the mean squared gradient",
         kOptimizer),
    real("optim.decay", 0.1, "", kNumber, "weight decay"),
    choice("optim.decay_on", "all", "all matrices not-gate",
           "tensors that weight decay applies to; not-gate: all but those of gates"),
    real("optim.gate_lr", 0, "", kNumber, "peak learning rate of gates' tensors; 0 = optim.lr"),
    real("optim.clip", 0, "", kNumber, "maximum norm of the gradient; 0 = no clipping"),
    choice("optim.precision", "fp32", "fp32 bf16", "bf16: autocast over fp32 weights"),

    // Evaluation.
    whole("eval.steps", 1000, "steps", kCountOrNone, "steps between evaluations; 0 = not by steps"),
    whole("eval.epochs", 0, "epochs", kCountOrNone,
          "epochs between evaluations; 0 = not by epochs"),
    whole("eval.batch", 128, "examples", kSize, "examples per batch"),
    whole("eval.examples", 0, "examples", {0, kMany}, "maximum per split, spread over it; 0 = all"),
    choice("eval.best", "loss", "loss accuracy", "validation metric that selects the best step"),
    real("eval.stop", 0, "", kNumber, "stop when eval.best is better than this; 0 = never"),
    whole("seed", 1, "", kSeed, "seed of initial values, order and dropout"),

    // Device, logging, checkpoints.
    not_semantic(choice("run.device", "auto", "auto cpu cuda", "auto: a GPU if there is one")),
    not_semantic(choice("run.graphs", "on", "on off", "on a GPU: launch each step as one graph")),
    not_semantic(whole("run.threads", 0, "threads", {0, 4096}, "0 = as many as allowed")),
    not_semantic(whole("run.prefetch", 2, "steps", {0, 64}, "steps to read ahead; 0 = none")),
    not_semantic(whole("run.log_steps", 10, "steps", kCount, "steps between training metrics")),
    not_semantic(whole("run.checkpoint_steps", 0, "steps", kCountOrNone,
                       "steps between checkpoints; 0 = not by steps")),
    not_semantic(real("run.checkpoint_minutes", 5, "minutes", kNumber,
                      "time between checkpoints; 0 = not by time")),
};

}  // namespace key_rows

inline constexpr const auto& kConfigKeys = key_rows::kTable;

// Index in kConfigKeys; -1 = unknown key.
constexpr int key_index(std::string_view name) {
  for (std::size_t i = 0; i < kConfigKeys.size(); ++i)
    if (kConfigKeys[i].name == name) return static_cast<int>(i);
  return -1;
}

// A key by name, checked at compile time: an unknown key or one of another type does not
// compile.
template <Kind... kinds>
struct KeyOf {
  template <Kind... narrower>
  constexpr KeyOf(KeyOf<narrower...> key) : index(key.index) {}
  consteval KeyOf(const char* name) : index(key_index(name)) {
    if (index < 0 || !((kConfigKeys[static_cast<std::size_t>(index)].kind == kinds) || ...))
      throw "no key of this type";
  }
  int index;
};
using IntegerKey = KeyOf<Kind::kInteger>;
using RealKey = KeyOf<Kind::kReal>;
using TextKey = KeyOf<Kind::kChoice, Kind::kText, Kind::kCode, Kind::kSystem>;
using AnyKey =
    KeyOf<Kind::kInteger, Kind::kReal, Kind::kChoice, Kind::kText, Kind::kCode, Kind::kSystem>;

// Splits a list at blanks.
std::vector<std::string> words_of(std::string_view text);
bool has_word(std::string_view list, std::string_view word);

// The key whose choice decides whether `key` applies; "" = it always does.
std::string_view decided_by(const ConfigKey& key);

// True if `key` applies with this choice of the key that decides.
bool applies_with(const ConfigKey& key, std::string_view choice);

// The key that an unknown name probably means, also by other tools' names; "" if none is near.
std::string_view nearest_key(std::string_view name);

// "; did you mean 'optim.lr'?", also for a key of another table; else the list of known keys.
std::string meant_key(std::string_view name);

// Describes what the key accepts: "a whole number of steps from 0 to 1099511627776", "one of A, B".
std::string wanted(const ConfigKey& key);

// The row of a key, given its index in kConfigKeys.
inline const ConfigKey& key_row(int key) { return kConfigKeys[static_cast<std::size_t>(key)]; }
inline std::string key_name(int key) { return std::string(key_row(key).name); }

}  // namespace runner
