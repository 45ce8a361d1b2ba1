// The keys of the model.
#pragma once

#include <array>

#include "runner/config/keys/family_rows.h"
#include "runner/config/keys/key_rows.h"
#include "runner/systems/eos_parts.h"

namespace runner {
namespace key_rows {

// Conditions of keys that apply only with this choice.
inline constexpr std::string_view kWikiText = "model.skeleton = wikitext",
                                  kZoology = "model.skeleton = zoology",
                                  kAdaptive = "model.softmax = adaptive";

inline constexpr std::array kModelKeys = {
    choice("model.family", "eos", lcsm::row_names<kFamilyRows>, "token mixer"),
    ConfigKey{.name = "model.code",
              .kind = Kind::kCode,
              .help = "e-o-s-a, such as 1-9-1-0",
              .only = kByFamily},
    ConfigKey{.name = "model.system",
              .kind = Kind::kSystem,
              .usual = std::string_view(""),
              .help = "a named system, such as s4d@modes=16; 'lcsm systems' lists them",
              .only = kByFamily},
    whole("model.d", 512, "channels", kSize, "width"),
    whole("model.k", 128, "rows", kSize, "memory rows", kByFamily),
    whole("model.layers", 10, "layers", {1, 10000}, "depth"),
    whole("model.heads", 8, "heads", kSize,
          "attention heads; must divide model.d (a code's: model.code_heads)", kByFamily),
    whole("model.code_heads", 1, "heads", kSize,
          "heads of a code, each with its own gate; must divide model.d and model.k", kByFamily),
    whole("model.conv", 0, "taps", {0, 64},
          "convolution of i, e and s over the last steps, then silu; 0 = none", kByFamily),
    choice("model.qk_norm", "none", kStageNormWords, "norm of e and s, per head", kByFamily),
    choice("model.head_norm", "none", kOutputNormWords,
           "norm of the output, per head; none: a LayerNorm over all heads", kByFamily),
    choice("model.output_gate", "none", kOutputGateWords,
           "activation of an input gate on the normalized output", kByFamily),
    choice("model.bonus", "none", "none learned", "a weight for the current token, as in RWKV",
           kByFamily),
    choice("model.attention", "causal", "causal both", "what attention sees: the past, or all",
           kByFamily),
    choice("model.softmax", "full", "full adaptive",
           "adaptive: narrower vectors for rarer tokens, in the embedding too", kByTask),
    usual_text("model.cutoffs", "20000,60000",
               "ranks at which narrower bands begin, separated by commas", kAdaptive),
    whole("model.narrowing", 4, "", {1, 1 << 10},
          "each band's vectors are narrower than the last one's by this factor", kAdaptive),
    choice("model.head", "linear", "linear gelu relu tanh",
           "classifier on the mean: linear, or a hidden layer with this activation first", kByTask),
    whole("model.head_width", 0, "channels", {0, 1 << 20},
          "width of the head's hidden layer; 0 = model.d", kByTask),
    choice("model.pair", "concat", "concat nli",
           "two documents a, b as one vector: b a, or a b a*b a-b", kByTask),
    not_semantic(
        text("model.from", "finished run, or its sweep, whose best weights this one starts with")),
    text("model.from_content", "SHA-256 of these weights; computed if not set"),
    choice("model.positions", "none", "none learned rope sinusoidal", "position encoding"),
    choice("model.skeleton", "wikitext", "wikitext zoology source encoder-decoder",
           "pre-norm and GLU, zoology's, or the system's authors'; or of translations"),
    choice("model.scheme", "A", "A B",
           "A: affine LayerNorms, GLU without biases; B: SimpleRMSNorm, GLU with biases",
           kWikiText),
    choice("model.glu", "identity", "identity silu sigmoid gelu relu", "activation of the GLU",
           kWikiText),
    choice("model.state_mixer", "identity", "identity mlp", "what follows the mixer", kZoology),
    real("model.dropout", 0.1, "", kShare, "dropout rate after mixer and GLU"),
    real("model.embedding_dropout", 0, "", kShare, "dropout rate after the embedding"),
    real("model.depth_dropout", 0, "", kShare,
         "stochastic depth: examples that skip the last layer; fewer skip earlier ones"),
};

}  // namespace key_rows

template <>
struct KeysOf<KeyGroup::kModel> {
  static constexpr const auto& kRows = key_rows::kModelKeys;
};

}  // namespace runner
