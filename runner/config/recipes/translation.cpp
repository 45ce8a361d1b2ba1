// Translation of WMT'16 by table 10 of MEGA (arXiv 2209.10655; facebookresearch/mega,
// examples/mega/README.mt.md): MEGA-base, and as "xfm" the Transformer-base beside it.
#include "runner/config/recipes/recipe.h"

namespace runner {
namespace {

using enum SaidBy;

constexpr RecipeLine kBoth{
    "optim.name=adamw optim.beta1=0.9 optim.beta2=0.98 optim.clip=1 optim.smoothing=0.1 "
    "optim.warmup=4000 optim.steps=500000 model.layers=6 model.d=512",
    kPaper, "table 10"};
constexpr RecipeLine kBatch{"task.bundle=8192 optim.batch=8 optim.accumulate=8", kPaper,
                            "table 10: 8192 tokens on each of 8 GPUs"};
constexpr RecipeLine kByCode{
    "model.skeleton=encoder-decoder system.norm=layer system.norm_place=post optim.eps=1e-8 "
    "optim.lr_first=1e-7 optim.decay_on=all eval.steps=5000 eval.epochs=0 eval.best=bleu",
    kCode, "README.mt.md, fairseq/models/mega.py"};
constexpr RecipeLine kMerges{"task.merges=32000", kPaper, "appendix D.5"};
constexpr RecipeLine kSearch{"eval.beam=5 eval.length_penalty=0.5", kCode,
                             "README.mt.md; the paper does not say"};
constexpr RecipeLine kLength{"task.length=256 eval.batch=32", kOurs,
                             "fairseq allows 1024 tokens; the cleaned sentences have at most 150"};

constexpr std::array kMegaTranslation = {
    kBoth,
    kBatch,
    kByCode,
    kMerges,
    kSearch,
    kLength,
    RecipeLine{"system.modes=16 system.z=128 system.v=1024 system.feed_hidden=1024 "
               "system.attention_dropout=0.1 system.feed_hidden_dropout=0.1 model.dropout=0.15 "
               "model.embedding_dropout=0.15 model.positions=none optim.lr=0.001 "
               "optim.schedule=linear optim.decay=0.05",
               kPaper, "table 10: MEGA-Base, 67 M parameters"},
    RecipeLine{"system.hidden_dropout=0.1 system.positions=1024", kCode, "README.mt.md"},
};

constexpr std::array kTransformerTranslation = {
    kBoth,
    kBatch,
    kByCode,
    kMerges,
    kSearch,
    kLength,
    RecipeLine{"system.feed_size=2048 model.dropout=0.1 model.embedding_dropout=0.1 "
               "optim.lr=0.0005 optim.schedule=inverse-sqrt optim.decay=0.0001",
               kPaper, "table 10: XFM-Base, 65 M parameters; all rates of dropout are 0.1"},
    RecipeLine{"system.heads=8 system.feed_activation=relu system.positions=none "
               "model.positions=sinusoidal",
               kCode, "fairseq's transformer_wmt_en_de, as Vaswani et al. 2017"},
};

// The generated language, at a size for a laptop.
constexpr RecipeLine kSmall{
    "model.d=64 model.layers=1 optim.clip=1 optim.smoothing=0.1 "
    "optim.warmup=100 eval.best=bleu optim.beta2=0.98",
    kOurs, "a language of 100 words"};

constexpr std::array kMegaPhrases = {
    kByCode,
    kSmall,
    RecipeLine{
        "system.modes=4 system.z=16 system.v=128 system.feed_hidden=128 system.norm_place=pre "
        "system.positions=64 optim.lr=0.004 optim.schedule=linear optim.decay=0.05",
        kOurs, "the ratios of table 10, and norms before the units"},
};

constexpr std::array kTransformerPhrases = {
    kByCode,
    kSmall,
    RecipeLine{"system.heads=4 system.feed_size=256 system.feed_activation=relu "
               "system.positions=none system.norm_place=pre model.positions=sinusoidal "
               "optim.lr=0.002 optim.schedule=linear optim.decay=0.0001",
               kOurs, "the ratios of table 10, half of MEGA's rate, and norms before the units"},
};

}  // namespace

std::span<const PaperRecipe> translation_recipes() {
  static constexpr std::array kRows = {
      PaperRecipe{"mega", "wmt16-en-de", "mega", "mega*", kMegaTranslation},
      PaperRecipe{"mega", "wmt16-de-en", "mega", "mega*", kMegaTranslation},
      PaperRecipe{"xfm", "wmt16-en-de", "transformer", "transformer", kTransformerTranslation},
      PaperRecipe{"xfm", "wmt16-de-en", "transformer", "transformer", kTransformerTranslation},
      PaperRecipe{"mega", "phrases", "mega", "mega*", kMegaPhrases},
      PaperRecipe{"mega", "phrases-back", "mega", "mega*", kMegaPhrases},
      PaperRecipe{"xfm", "phrases", "transformer", "transformer", kTransformerPhrases},
      PaperRecipe{"xfm", "phrases-back", "transformer", "transformer", kTransformerPhrases},
  };
  return kRows;
}

}  // namespace runner
